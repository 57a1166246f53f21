package io.moonpool.storage.file;

import io.moonpool.model.ErrorCode;

/** What the store does to files, and the error of the table for its failure. */
public enum FileOperation {
  /** Creating a file or directory. */
  CREATE("creating", ErrorCode.FILE_WRITE_FAIL),
  /** Opening a file or directory. */
  OPEN("opening", ErrorCode.FILE_OPEN_FAIL),
  /** Reading bytes or a size. */
  READ("reading", ErrorCode.FILE_READ_FAIL),
  /** Listing a directory. */
  LIST("listing", ErrorCode.FILE_READ_FAIL),
  /** Writing bytes or reserving space for them. */
  WRITE("writing", ErrorCode.FILE_WRITE_FAIL),
  /** Making bytes or directory entries durable. */
  SYNC("syncing", ErrorCode.PERSISTENT_FAIL),
  /** Renaming a file. */
  RENAME("renaming", ErrorCode.FILE_WRITE_FAIL),
  /** Deleting a file. */
  DELETE("deleting", ErrorCode.FILE_WRITE_FAIL),
  /** Locking a file. */
  LOCK("locking", ErrorCode.FILE_LOCK_FAIL),
  /** Asking for free space. */
  SPACE("asking for the space of", ErrorCode.FILE_READ_FAIL);

  private final String verb;
  private final ErrorCode failure;

  FileOperation(String verb, ErrorCode failure) {
    this.verb = verb;
    this.failure = failure;
  }

  String verb() {
    return verb;
  }

  ErrorCode failure() {
    return failure;
  }
}
