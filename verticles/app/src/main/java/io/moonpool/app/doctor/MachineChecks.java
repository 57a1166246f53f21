package io.moonpool.app.doctor;

import io.moonpool.libc.AvailableMemory;
import io.moonpool.model.config.ByteSizes;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** Java, processors, memory and limits, as the kernel tells them. */
final class MachineChecks {
  private static final int NEEDED_JAVA = 25;
  private static final int MEBIBYTE_SHIFT = 20;
  private static final long WANTED_SOCKET_BYTES = 4L << 20;
  private static final long LITTLE_SHARED_BYTES = 256L << 20;
  private static final String SHARED_MEMORY = "dev/shm";

  private final KernelFiles kernel;
  private final List<String> flags;
  private final int feature;

  /**
   * Prepares the checks.
   *
   * @param flags what the virtual machine was started with
   * @param feature the Java version
   */
  MachineChecks(KernelFiles kernel, List<String> flags, int feature) {
    this.kernel = kernel;
    this.flags = List.copyOf(flags);
    this.feature = feature;
  }

  List<Finding> look() {
    return List.of(
        java(), javaFlags(), cores(), lockLimit(), hugePages(), sockets(), sharedMemory());
  }

  private Finding java() {
    String found = "Java " + feature + ", " + System.getProperty("java.vm.name", "unknown");
    return feature >= NEEDED_JAVA
        ? Finding.ok("java", found)
        : Finding.fail("java", found, "install a JDK " + NEEDED_JAVA);
  }

  private Finding javaFlags() {
    List<String> missing = new ArrayList<>();
    for (String wanted : List.of("-XX:+UseZGC", "-XX:+UseCompactObjectHeaders")) {
      if (!flags.contains(wanted)) {
        missing.add(wanted);
      }
    }
    return missing.isEmpty()
        ? Finding.ok("java_flags", "those of conf/jvm.options")
        : Finding.warn(
            "java_flags",
            "missing: " + String.join(" ", missing),
            "start with the launcher, or with java @conf/jvm.options: other collectors pause");
  }

  private Finding cores() {
    String online = kernel.text("sys/devices/system/cpu/online").orElse("");
    String allowed = kernel.field("proc/self/status", "Cpus_allowed_list").orElse("");
    int usable = CpuList.size(allowed);
    int all = CpuList.size(online);
    Optional<String> quota = kernel.text("sys/fs/cgroup/cpu.max").filter(q -> !q.startsWith("max"));
    String found =
        String.format(
            Locale.ROOT,
            "%d of %d%s%s",
            usable,
            all,
            usable < all ? ", pinned to " + allowed : "",
            quota.map(limit -> ", limited to cpu.max " + limit).orElse(""));
    if (quota.isPresent()) {
      return Finding.warn(
          "cores",
          found,
          "a quota stops all threads for up to 100 ms at a time: give the container whole cores"
              + " instead");
    }
    return usable < 2
        ? Finding.warn(
            "cores", found, "give a master two cores or more, one of them for heartbeats")
        : Finding.ok("cores", found);
  }

  private Finding lockLimit() {
    OptionalLong limit = kernel.limit("Max locked memory");
    if (limit.isEmpty()) {
      return Finding.note("memory_lock_limit", "unknown", "");
    }
    long bytes = limit.getAsLong();
    return bytes == Long.MAX_VALUE
        ? Finding.ok("memory_lock_limit", "unlimited")
        : Finding.warn(
            "memory_lock_limit",
            ByteSizes.format(bytes),
            "segments larger than that may be swapped out, and RDMA cannot register them: ulimit"
                + " -l unlimited, LimitMEMLOCK=infinity, or --ulimit memlock=-1");
  }

  private Finding hugePages() {
    String anonymous = kernel.chosen("sys/kernel/mm/transparent_hugepage/enabled").orElse("none");
    String shared =
        kernel.chosen("sys/kernel/mm/transparent_hugepage/shmem_enabled").orElse("none");
    String found = "transparent: " + anonymous + ", of shared memory: " + shared;
    if (anonymous.equals("never") || anonymous.equals("none")) {
      return Finding.warn(
          "huge_pages",
          found,
          "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled: without, random reads and"
              + " disk buffers cost more CPU");
    }
    return shared.equals("never") || shared.equals("none") || shared.equals("deny")
        ? Finding.note(
            "huge_pages",
            found,
            "echo advise > /sys/kernel/mm/transparent_hugepage/shmem_enabled gives segments of shm"
                + " huge pages, too")
        : Finding.ok("huge_pages", found);
  }

  private Finding sockets() {
    OptionalLong receive = kernel.number("proc/sys/net/core/rmem_max");
    OptionalLong send = kernel.number("proc/sys/net/core/wmem_max");
    if (receive.isEmpty() || send.isEmpty()) {
      return Finding.note("socket_buffers", "unknown: net.core is not visible here", "");
    }
    long least = Math.min(receive.getAsLong(), send.getAsLong());
    String found =
        "receive "
            + ByteSizes.format(receive.getAsLong())
            + ", send "
            + ByteSizes.format(send.getAsLong());
    return least >= WANTED_SOCKET_BYTES
        ? Finding.ok("socket_buffers", found)
        : Finding.warn(
            "socket_buffers",
            found,
            "sysctl -w net.core.rmem_max=4194304 net.core.wmem_max=4194304: below, values of 64 KiB"
                + " and more are several times slower over tcp");
  }

  /** A size in whole mebibytes. */
  static String rounded(long bytes) {
    return ByteSizes.format(bytes >> MEBIBYTE_SHIFT << MEBIBYTE_SHIFT);
  }

  private Finding sharedMemory() {
    long available = AvailableMemory.bytes();
    String memory = available == Long.MAX_VALUE ? "unknown memory" : rounded(available) + " memory";
    Path folder = kernel.root().resolve(SHARED_MEMORY);
    try {
      FileStore store = Files.getFileStore(folder);
      String found =
          memory
              + " available; "
              + rounded(store.getUsableSpace())
              + " of "
              + rounded(store.getTotalSpace())
              + " free in /dev/shm";
      return store.getUsableSpace() < LITTLE_SHARED_BYTES
          ? Finding.note(
              "shared_memory",
              found,
              "only UCX's own shared memory uses /dev/shm: start the container with --shm-size when"
                  + " that is wanted")
          : Finding.ok("shared_memory", found);
    } catch (IOException e) {
      return Finding.note("shared_memory", memory + " available; no /dev/shm", "");
    }
  }
}
