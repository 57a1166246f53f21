package io.moonpool.storage.file;

import io.moonpool.libc.Errno;
import io.moonpool.libc.FileSystemSpace;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A file system in memory that knows what would survive a power cut. It keeps, next to what
 * programs see, what was synced, and every change since then: writes to files, and changes of
 * names. When the power goes, any subset of the unsynced changes may have reached the disk, of a
 * write any of its sectors.
 *
 * <p>{@link #cutBefore} makes the n-th change the one that does not happen any more; everything
 * afterwards throws {@link PowerCut}. {@link #afterCut} is the disk as the next start finds it.
 */
public final class SimulatedDisk implements FileLayer {
  private static final int SECTOR = 512;
  private static final long TOTAL = 1L << 30;

  /** What of the unsynced changes reaches the disk. */
  public enum Survival {
    NOTHING,
    EVERYTHING,
    ANYTHING
  }

  private final Map<Path, Inode> names = new TreeMap<>();
  private final Map<Path, Inode> durableNames = new TreeMap<>();
  private final List<NameChange> pendingNames = new ArrayList<>();
  private long cutBefore = Long.MAX_VALUE;
  private long changes;
  private boolean off;

  /** A file: bytes as programs see them, bytes on the disk, writes in between. */
  private static final class Inode {
    byte[] now;
    byte[] durable;
    final List<Write> pending = new ArrayList<>();

    Inode(byte[] bytes) {
      now = bytes;
      durable = bytes;
    }
  }

  private record Write(long position, byte[] bytes) {}

  /** Names that come and go together: created, deleted or renamed. */
  private record NameChange(Path from, Path to, Inode inode) {
    boolean touches(Path directory) {
      return (from != null && directory.equals(from.getParent()))
          || (to != null && directory.equals(to.getParent()));
    }

    void apply(Map<Path, Inode> names) {
      if (from != null) {
        names.remove(from);
      }
      if (to != null) {
        names.put(to, inode);
      }
    }
  }

  /** Lets the power go instead of the n-th change from now, counted from 0. */
  public void cutBefore(long n) {
    cutBefore = changes + n;
  }

  /** Changes so far. */
  public long changes() {
    return changes;
  }

  /** Turns the power off now. */
  public void cut() {
    off = true;
  }

  /** The disk after the cut, with the power back. */
  public SimulatedDisk afterCut(Survival survival, Random random) {
    Map<Path, Inode> left = new TreeMap<>(durableNames);
    for (NameChange change : pendingNames) {
      if (survives(survival, random)) {
        change.apply(left);
      }
    }
    SimulatedDisk next = new SimulatedDisk();
    left.forEach(
        (path, inode) -> next.names.put(path, new Inode(content(inode, survival, random))));
    next.durableNames.putAll(next.names);
    return next;
  }

  private static boolean survives(Survival survival, Random random) {
    return switch (survival) {
      case NOTHING -> false;
      case EVERYTHING -> true;
      case ANYTHING -> random.nextBoolean();
    };
  }

  private static byte[] content(Inode inode, Survival survival, Random random) {
    byte[] bytes = inode.durable;
    for (Write write : inode.pending) {
      if (survival == Survival.EVERYTHING) {
        bytes = overwrite(bytes, write.position(), write.bytes());
      } else if (survival == Survival.ANYTHING && random.nextBoolean()) {
        for (int at = 0; at < write.bytes().length; at += SECTOR) {
          if (random.nextInt(4) > 0) {
            int end = Math.min(at + SECTOR, write.bytes().length);
            bytes =
                overwrite(bytes, write.position() + at, Arrays.copyOfRange(write.bytes(), at, end));
          }
        }
      }
    }
    return bytes;
  }

  private static byte[] overwrite(byte[] before, long position, byte[] bytes) {
    int end = Math.toIntExact(position + bytes.length);
    byte[] after = Arrays.copyOf(before, Math.max(before.length, end));
    System.arraycopy(bytes, 0, after, (int) position, bytes.length);
    return after;
  }

  private void requirePower() {
    if (off) {
      throw new PowerCut();
    }
  }

  private void change() {
    requirePower();
    if (changes == cutBefore) {
      off = true;
      throw new PowerCut();
    }
    changes++;
  }

  private Inode existing(FileOperation operation, Path file) throws FileException {
    requirePower();
    Inode inode = names.get(file);
    if (inode == null) {
      throw new FileException(operation, file, Errno.ENOENT, "no such file");
    }
    return inode;
  }

  private void changeNames(Path from, Path to, Inode inode) {
    change();
    NameChange change = new NameChange(from, to, inode);
    change.apply(names);
    pendingNames.add(change);
  }

  @Override
  public OpenFile create(Path file, boolean direct) throws FileException {
    requirePower();
    if (names.containsKey(file)) {
      throw new FileException(FileOperation.CREATE, file, Errno.EEXIST, "it is there");
    }
    Inode inode = new Inode(new byte[0]);
    changeNames(null, file, inode);
    return new Handle(inode, direct);
  }

  @Override
  public OpenFile open(Path file, boolean direct) throws FileException {
    return new Handle(existing(FileOperation.OPEN, file), direct);
  }

  @Override
  public void rename(Path from, Path to) throws FileException {
    changeNames(from, to, existing(FileOperation.RENAME, from));
  }

  @Override
  public void delete(Path file) throws FileException {
    changeNames(file, null, existing(FileOperation.DELETE, file));
  }

  @Override
  public void createDirectories(Path directory) {
    requirePower(); // directories are there whenever they are needed
  }

  @Override
  public void syncDirectory(Path directory) {
    change();
    pendingNames.removeIf(
        pending -> {
          if (pending.touches(directory)) {
            pending.apply(durableNames);
            return true;
          }
          return false;
        });
  }

  @Override
  public List<FileEntry> list(Path directory) {
    requirePower();
    List<FileEntry> entries = new ArrayList<>();
    names.forEach(
        (path, inode) -> {
          if (directory.equals(path.getParent())) {
            entries.add(new FileEntry(path.getFileName().toString(), inode.now.length, false));
          }
        });
    return entries;
  }

  @Override
  public FileSystemSpace space(Path directory) {
    requirePower();
    return new FileSystemSpace(TOTAL, TOTAL);
  }

  @Override
  public LockFile openLock(Path file) {
    return new LockFile() {
      @Override
      public boolean tryLock() {
        return true;
      }

      @Override
      public String text() {
        return "";
      }

      @Override
      public void setText(String text) {}

      @Override
      public void close() {}
    };
  }

  private final class Handle implements OpenFile {
    private final Inode inode;
    private final boolean direct;

    Handle(Inode inode, boolean direct) {
      this.inode = inode;
      this.direct = direct;
    }

    @Override
    public long read(MemorySegment into, long position) {
      requirePower();
      requireAligned(into, position);
      int got = (int) Math.max(0, Math.min(into.byteSize(), inode.now.length - position));
      if (got > 0) {
        MemorySegment.copy(inode.now, (int) position, into, ValueLayout.JAVA_BYTE, 0, got);
      }
      return got;
    }

    @Override
    public void write(MemorySegment from, long position) {
      requireAligned(from, position);
      change();
      byte[] bytes = from.toArray(ValueLayout.JAVA_BYTE);
      inode.now = overwrite(inode.now, position, bytes);
      inode.pending.add(new Write(position, bytes));
    }

    private void requireAligned(MemorySegment memory, long position) {
      if (direct
          && (memory.address() % 4096 != 0
              || memory.byteSize() % 4096 != 0
              || position % 4096 != 0)) {
        throw new AssertionError("direct I/O wants whole blocks");
      }
    }

    @Override
    public void reserve(long position, long length) {
      requirePower();
    }

    @Override
    public void sync() {
      change();
      inode.durable = inode.now;
      inode.pending.clear();
    }

    @Override
    public void dropCache() {}

    @Override
    public long size() {
      requirePower();
      return inode.now.length;
    }

    @Override
    public boolean direct() {
      return direct;
    }

    @Override
    public void close() {}
  }
}
