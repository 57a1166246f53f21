package io.moonpool.storage.file;

/** A file whose lock says who owns its directory, and whose text names that owner. */
public interface LockFile extends AutoCloseable {
  /**
   * Takes the lock. It is given back by {@link #close} or by the end of the process, whatever ends
   * it.
   *
   * @return false when somebody else has it
   */
  boolean tryLock() throws FileException;

  /** The text of the owner, empty when there is none yet. */
  String text() throws FileException;

  /** Replaces the text, at most 64 bytes of UTF-8; only the owner may. */
  void setText(String text) throws FileException;

  /** Closes the file and gives the lock back. */
  @Override
  void close();
}
