package io.moonpool.app.doctor;

import io.moonpool.ucx.UcxContext;
import io.moonpool.ucx.UcxException;
import io.moonpool.ucx.UcxLibrary;
import io.moonpool.ucx.UcxUnavailableException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** UCX and the devices that it could use. */
final class UcxChecks {
  private final KernelFiles kernel;

  UcxChecks(KernelFiles kernel) {
    this.kernel = kernel;
  }

  List<Finding> look() {
    List<String> devices = kernel.names("sys/class/infiniband");
    return List.of(library(!devices.isEmpty()), devices(devices));
  }

  private static Finding library(boolean wanted) {
    try {
      String version = UcxLibrary.load().version();
      try (UcxContext context = UcxContext.open(Map.of())) {
        return Finding.ok("ucx", "UCX " + version + ": " + String.join(", ", context.resources()));
      } catch (UcxException e) {
        return Finding.warn(
            "ucx", "UCX " + version + ": " + e.getMessage(), "ucx_info -d tells more");
      }
    } catch (UcxUnavailableException e) {
      String reason = String.valueOf(e.getMessage());
      return wanted
          ? Finding.warn("ucx", "not usable", reason)
          : Finding.note("ucx", "not usable, and there is no RDMA device", reason);
    }
  }

  private Finding devices(List<String> devices) {
    if (devices.isEmpty()) {
      return Finding.note(
          "rdma_devices",
          "none",
          "nothing to do when this machine has none; else load the driver, and give a container"
              + " /dev/infiniband");
    }
    if (!Files.isDirectory(kernel.root().resolve("dev/infiniband"))) {
      return Finding.fail(
          "rdma_devices",
          String.join(", ", devices) + ", but no /dev/infiniband",
          "start the container with --device /dev/infiniband");
    }
    boolean active = devices.stream().anyMatch(this::hasActivePort);
    String found = String.join(", ", devices);
    return active
        ? Finding.ok("rdma_devices", found)
        : Finding.warn(
            "rdma_devices",
            found + ": no port is ACTIVE",
            "check the cable, or the subnet manager");
  }

  private boolean hasActivePort(String device) {
    String ports = "sys/class/infiniband/" + device + "/ports";
    return kernel.names(ports).stream()
        .map(port -> kernel.text(ports + "/" + port + "/state"))
        .flatMap(Optional::stream)
        .anyMatch(state -> state.contains("ACTIVE"));
  }
}
