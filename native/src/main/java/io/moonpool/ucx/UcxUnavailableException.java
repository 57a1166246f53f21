package io.moonpool.ucx;

/** UCX cannot be used in this process. The message says why, and what to do about it. */
public final class UcxUnavailableException extends Exception {
  private static final long serialVersionUID = 1L;

  UcxUnavailableException(String reason) {
    super(reason);
  }
}
