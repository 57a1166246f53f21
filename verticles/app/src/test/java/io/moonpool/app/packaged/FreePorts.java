package io.moonpool.app.packaged;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for processes that cannot be told to take any free one, since they are to find each other
 * again. They are none that the kernel gives to clients, so other tests do not take them in the
 * meantime.
 */
public final class FreePorts {
  private static final int FIRST = 12_000;
  private static final int LAST = 32_000;

  private FreePorts() {}

  /** A port that nobody listens on. */
  public static int any() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
      try (ServerSocket free = new ServerSocket(port)) {
        return free.getLocalPort();
      } catch (IOException inUse) {
        // The next one.
      }
    }
  }
}
