package io.moonpool.transfer;

import io.moonpool.ucx.UcxContext;
import io.moonpool.ucx.UcxException;
import io.moonpool.ucx.UcxUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Whether this process offers {@code ucx}: a context of the library, or the reason why not.
 *
 * <p>Where other transports are configured too and nobody has said which of UCX's transports to
 * use, it is offered only when there is an RDMA device: UCX's emulation over TCP is slower than
 * {@code tcp}.
 *
 * @param context null when it is not offered
 * @param reason why not, with what to do about it; empty when it is offered
 */
record UcxOffer(@Nullable UcxContext context, String reason) {
  private static final Path DEVICES = Path.of("/sys/class/infiniband");

  /** Looks, and opens the library's context. Blocks. */
  static UcxOffer of(TransferConfig config) {
    UcxOptions options = config.ucx();
    if (config.tls() != null) {
      return no("transfers are encrypted (TLS), which ucx cannot do");
    }
    boolean chosen =
        !options.tls().isEmpty()
            || System.getenv("UCX_TLS") != null
            || config.transports().equals(List.of(UcxTransport.NAME));
    if (!chosen && devices().isEmpty()) {
      return no(
          "this machine has no RDMA device ("
              + DEVICES
              + " is empty); set ucx_tls to use UCX without one");
    }
    try {
      Map<String, String> settings =
          options.tls().isEmpty() ? Map.of() : Map.of("TLS", options.tls());
      UcxContext context = UcxContext.open(settings);
      if (context.resources().stream().allMatch(resource -> resource.startsWith("self/"))) {
        context.close();
        return no("UCX has no transport of " + (chosen ? "those that it was told" : "its own"));
      }
      return new UcxOffer(context, "");
    } catch (UcxUnavailableException | UcxException | IllegalArgumentException e) {
      return no(String.valueOf(e.getMessage()));
    }
  }

  private static UcxOffer no(String reason) {
    return new UcxOffer(null, reason);
  }

  /** The RDMA devices that the kernel shows; empty where it has no RDMA at all. */
  static List<String> devices() {
    try (Stream<Path> entries = Files.list(DEVICES)) {
      return entries.map(Path::getFileName).map(String::valueOf).sorted().toList();
    } catch (IOException e) {
      return List.of();
    }
  }
}
