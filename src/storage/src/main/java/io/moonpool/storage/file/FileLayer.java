package io.moonpool.storage.file;

import io.moonpool.libc.FileSystemSpace;
import java.nio.file.Path;
import java.util.List;

/**
 * What the store needs of a file system. Bytes are durable after {@link OpenFile#sync}, names
 * (created, renamed, deleted) after {@link #syncDirectory} of their directory; before that a power
 * cut may undo them, singly and in any order.
 *
 * <p>Any thread may call; all of it blocks.
 */
public interface FileLayer {
  /**
   * Creates a file for reading and writing.
   *
   * @param direct true to bypass the page cache; refused with {@code EINVAL} where the file system
   *     does not offer it
   * @throws FileException when it is there already ({@code EEXIST}), and otherwise
   */
  OpenFile create(Path file, boolean direct) throws FileException;

  /**
   * Opens a file for reading.
   *
   * @param direct as for {@link #create}
   */
  OpenFile open(Path file, boolean direct) throws FileException;

  /** Renames a file within its file system; a file of the new name is replaced at once. */
  void rename(Path from, Path to) throws FileException;

  /** Removes a file's name; who has it open may go on reading. */
  void delete(Path file) throws FileException;

  /** Creates a directory and its missing parents, durably; nothing happens when it is there. */
  void createDirectories(Path directory) throws FileException;

  /** Makes the entries of a directory durable. */
  void syncDirectory(Path directory) throws FileException;

  /** What is in a directory, in no order; without what vanishes meanwhile. */
  List<FileEntry> list(Path directory) throws FileException;

  /** The space of the file system that a directory is on. */
  FileSystemSpace space(Path directory) throws FileException;

  /** Opens a file, created when needed, whose lock one process at a time can have. */
  LockFile openLock(Path file) throws FileException;
}
