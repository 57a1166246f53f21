package io.moonpool.storage.file;

import io.moonpool.libc.Errno;
import io.moonpool.model.ErrorCode;
import java.io.IOException;
import java.nio.file.Path;

/** The file system refused something. The message names the operation, the file and the error. */
public final class FileException extends IOException {
  private static final long serialVersionUID = 1L;

  private final FileOperation operation;
  private final Errno errno;

  /**
   * A refusal.
   *
   * @param operation what was tried
   * @param file on which file or directory
   * @param errno the kernel's error
   * @param detail what else there is to say, such as the kernel's own message
   */
  public FileException(FileOperation operation, Path file, Errno errno, String detail) {
    super(operation.verb() + " " + file + " failed with " + errno + " (" + detail + ")");
    this.operation = operation;
    this.errno = errno;
  }

  /** What was tried. */
  public FileOperation operation() {
    return operation;
  }

  /** The kernel's error. */
  public Errno errno() {
    return errno;
  }

  /** True when there is no space left, on the file system or for this user. */
  public boolean isOutOfSpace() {
    return errno == Errno.ENOSPC || errno == Errno.EDQUOT;
  }

  /** True when the error is one of this process or machine, and says nothing about the file. */
  public boolean isPassing() {
    return switch (errno) {
      case EMFILE, ENFILE, ENOMEM, EAGAIN, EINTR -> true;
      default -> false;
    };
  }

  /** The error of the table that says it best; {@code NO_AVAILABLE_HANDLE} for want of space. */
  public ErrorCode code() {
    if (isOutOfSpace()) {
      return ErrorCode.NO_AVAILABLE_HANDLE;
    }
    if (errno == Errno.ENOENT && operation != FileOperation.CREATE) {
      return ErrorCode.FILE_NOT_FOUND;
    }
    return operation.failure();
  }
}
