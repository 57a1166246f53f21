package io.moonpool.node;

import io.moonpool.model.StoreException;
import io.moonpool.storage.directory.OwnedDirectory;
import io.moonpool.storage.file.PosixFileLayer;
import java.nio.file.Path;
import java.util.UUID;

/**
 * The directory that makes a node the same node after a restart: it holds the node's id, and a lock
 * that one process at a time can have. Blocks: for a worker.
 */
final class DataDirectory implements AutoCloseable {
  private static final String ID_FILE = "node-id";

  private final OwnedDirectory owned;

  private DataDirectory(OwnedDirectory owned) {
    this.owned = owned;
  }

  /**
   * Creates the directory when needed, locks it, and reads or chooses the node's id.
   *
   * @throws StoreException when another process has it or it cannot be used
   */
  static DataDirectory open(Path directory) {
    return new DataDirectory(
        OwnedDirectory.open(new PosixFileLayer(), directory, "data_dir", ID_FILE));
  }

  /** The node's id. */
  UUID nodeId() {
    return owned.id();
  }

  /** Lets the next process have the directory. */
  @Override
  public void close() {
    owned.close();
  }
}
