package io.moonpool.ucx;

/** A call of UCX that failed. The message names the call and what the library says. */
public final class UcxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  UcxException(String call, int status) {
    super(call + " failed: " + Ucp.statusString(status));
    this.status = status;
  }

  /** The library's status, below 0. */
  public int status() {
    return status;
  }

  /** True when no transport of the context leads to the peer. */
  public boolean unreachable() {
    return status == Ucp.ERR_UNREACHABLE;
  }
}
