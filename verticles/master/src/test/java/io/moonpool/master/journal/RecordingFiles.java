package io.moonpool.master.journal;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/**
 * Files in memory that remember what was forced. The power can be cut before any write, force,
 * rename or deletion; {@link #afterPowerCut} then is what a disk may have kept: all that was
 * forced, and any part of the rest. Errors can be made to last for a while.
 */
final class RecordingFiles implements JournalFiles {
  private static final int BLOCK = 512;

  private static final class Content {
    byte[] bytes = {};
    byte[] forced = {};
  }

  private TreeMap<String, Content> names = new TreeMap<>();
  private TreeMap<String, Content> forcedNames = new TreeMap<>();
  private int steps;
  private int cutAt = Integer.MAX_VALUE;
  private boolean failing;
  private boolean cut;

  /** How many steps were taken that a power cut could come before. */
  synchronized int steps() {
    return steps;
  }

  synchronized void cutAt(int step) {
    cutAt = step;
  }

  synchronized void failing(boolean fail) {
    failing = fail;
  }

  private void step() throws IOException {
    if (cut || steps >= cutAt) {
      cut = true;
      throw new IOException("no power");
    }
    if (failing) {
      throw new IOException("No space left on device");
    }
    steps++;
  }

  /** What may be found after the power came back; each call may answer something else. */
  synchronized RecordingFiles afterPowerCut(Random random) {
    RecordingFiles after = new RecordingFiles();
    TreeMap<String, Content> kept = random.nextBoolean() ? names : forcedNames;
    kept.forEach(
        (name, content) -> {
          Content copy = new Content();
          copy.bytes = survivor(content, random);
          copy.forced = copy.bytes;
          after.names.put(name, copy);
        });
    after.forcedNames = new TreeMap<>(after.names);
    return after;
  }

  private static byte[] survivor(Content content, Random random) {
    byte[] now = content.bytes;
    int safe = content.forced.length;
    if (now.length < safe) {
      return content.forced; // cut off, but not forced
    }
    int length =
        switch (random.nextInt(3)) {
          case 0 -> safe;
          case 1 -> now.length;
          default -> safe + random.nextInt(now.length - safe + 1);
        };
    byte[] kept = Arrays.copyOf(now, length);
    if (random.nextBoolean()) {
      for (int at = safe; at < length; at = (at / BLOCK + 1) * BLOCK) {
        if (random.nextInt(3) == 0) {
          Arrays.fill(kept, at, Math.min(length, (at / BLOCK + 1) * BLOCK), (byte) 0);
        }
      }
    }
    return kept;
  }

  /** Changes a byte of a file. */
  synchronized void flip(String name, int at) {
    names.get(name).bytes[at] ^= 0x20;
  }

  synchronized int length(String name) {
    return names.get(name).bytes.length;
  }

  @Override
  public synchronized List<String> list() {
    return List.copyOf(names.keySet());
  }

  @Override
  public synchronized ByteBuffer read(String name) throws IOException {
    return ByteBuffer.wrap(content(name).bytes.clone());
  }

  private Content content(String name) throws IOException {
    Content content = names.get(name);
    if (content == null) {
      throw new FileNotFoundException(name);
    }
    return content;
  }

  @Override
  public synchronized Appender create(String name) throws IOException {
    step();
    Content content = new Content();
    names.put(name, content);
    return new ContentAppender(content);
  }

  @Override
  public synchronized Appender openAt(String name, long length) throws IOException {
    step();
    Content content = content(name);
    content.bytes = Arrays.copyOf(content.bytes, (int) length);
    content.forced = content.bytes;
    return new ContentAppender(content);
  }

  private final class ContentAppender implements Appender {
    private final Content content;

    ContentAppender(Content content) {
      this.content = content;
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      synchronized (RecordingFiles.this) {
        // Some of it arrives before the power goes.
        int arrives = cut || failing || steps < cutAt ? bytes.remaining() : bytes.remaining() / 2;
        if (!cut && (!failing || steps >= cutAt)) {
          int before = content.bytes.length;
          content.bytes = Arrays.copyOf(content.bytes, before + arrives);
          bytes.get(content.bytes, before, arrives);
        }
        step();
      }
    }

    @Override
    public void force() throws IOException {
      synchronized (RecordingFiles.this) {
        step();
        content.forced = content.bytes;
      }
    }

    @Override
    public void close() {}
  }

  @Override
  public synchronized void rename(String from, String to) throws IOException {
    step();
    Content content = content(from);
    names = new TreeMap<>(names);
    names.remove(from);
    names.put(to, content);
  }

  @Override
  public synchronized void delete(String name) throws IOException {
    step();
    names = new TreeMap<>(names);
    names.remove(name);
  }

  @Override
  public synchronized void forceNames() throws IOException {
    step();
    forcedNames = new TreeMap<>(names);
  }

  @Override
  public String describe(String name) {
    return "memory/" + name;
  }

  @Override
  public void close() {}
}
