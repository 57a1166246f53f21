package io.moonpool.app.command.client;

import io.moonpool.app.blocking.PieceSink;
import io.moonpool.app.blocking.PieceSource;
import io.moonpool.app.shell.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Moves the bytes of one object between a file and a buffer, and shows how far it is. */
final class Transfer {
  /** What the buffers are aligned to. */
  static final long ALIGNMENT = 4096;

  private static final long REDRAW_NANOS = 100_000_000;

  private final PrintWriter err;
  private final boolean shown;
  private final String key;
  private final long size;
  private long nextDrawNanos = System.nanoTime() + REDRAW_NANOS;
  private boolean drawn;

  /**
   * A transfer that starts now.
   *
   * @param wanted whether to show progress; null: on a terminal
   * @param size what is expected; {@link Long#MAX_VALUE} when nobody knows
   */
  Transfer(PrintWriter err, @Nullable Boolean wanted, String key, long size) {
    this.err = err;
    this.shown = wanted == null ? Terminal.isThere() : wanted;
    this.key = key;
    this.size = size;
  }

  /** Reads from where the channel stands. */
  PieceSource reading(FileChannel channel) {
    return (offset, target) -> {
      show(offset);
      ByteBuffer buffer = target.asByteBuffer();
      while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
        // A pipe gives less than was asked for.
      }
      return buffer.position();
    };
  }

  /** Writes to where the channel stands. */
  PieceSink writing(FileChannel channel) {
    return (offset, bytes) -> {
      write(channel, bytes);
      show(offset + bytes.byteSize());
    };
  }

  private static void write(FileChannel channel, MemorySegment bytes) throws IOException {
    ByteBuffer buffer = bytes.asByteBuffer();
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  private void show(long bytes) {
    long nowNanos = System.nanoTime();
    if (!shown || nowNanos - nextDrawNanos < 0) {
      return;
    }
    nextDrawNanos = nowNanos + REDRAW_NANOS;
    drawn = true;
    String done = String.format(Locale.ROOT, "\r%s  %,.1f MB", key, bytes / 1e6);
    String share =
        size == Long.MAX_VALUE || size == 0
            ? ""
            : String.format(Locale.ROOT, ", %d %%", bytes * 100 / size);
    err.print(done + share);
    err.flush();
  }

  /** Removes what was shown. */
  void done() {
    if (drawn) {
      err.print("\r\033[K");
      err.flush();
    }
  }
}
