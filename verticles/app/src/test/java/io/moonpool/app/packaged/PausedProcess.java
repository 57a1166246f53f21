package io.moonpool.app.packaged;

import java.io.IOException;

/**
 * A process that is stopped with SIGSTOP, as a machine that swaps or a debugger stops it, and goes
 * on when this is closed. Its sockets stay open meanwhile: the kernel still takes connections and
 * bytes for it.
 */
public record PausedProcess(long pid) implements AutoCloseable {
  /** Stops a process. */
  public static PausedProcess stop(long pid) throws IOException, InterruptedException {
    signal(pid, "STOP");
    return new PausedProcess(pid);
  }

  /** Has it go on. Doing it again changes nothing. */
  @Override
  public void close() throws IOException, InterruptedException {
    signal(pid, "CONT");
  }

  private static void signal(long pid, String name) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + name, String.valueOf(pid)).inheritIO().start();
    if (kill.waitFor() != 0) {
      throw new IOException("SIG" + name + " cannot be sent to " + pid);
    }
  }
}
