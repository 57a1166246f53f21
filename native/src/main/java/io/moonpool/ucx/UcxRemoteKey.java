package io.moonpool.ucx;

/**
 * The right to access a peer's memory through one endpoint. Belongs to the worker's thread.
 *
 * <pre>
 * state  | event                             | next
 * OPEN   | close, endpoint or worker closed  | CLOSED
 * CLOSED | anything                          | CLOSED; accesses are refused
 * </pre>
 */
public final class UcxRemoteKey implements AutoCloseable {
  private final UcxEndpoint endpoint;
  private final long handle;
  private final long address;
  private final long bytes;
  private boolean closed;

  UcxRemoteKey(UcxEndpoint endpoint, long handle, long address, long bytes) {
    this.endpoint = endpoint;
    this.handle = handle;
    this.address = address;
    this.bytes = bytes;
  }

  /**
   * The peer's address of a range of its memory.
   *
   * @throws IllegalArgumentException when the range is not within the memory
   * @throws IllegalStateException when this is closed or of another endpoint
   */
  long address(UcxEndpoint user, long offset, long length) {
    if (closed || !user.equals(endpoint)) {
      throw new IllegalStateException("the remote key is closed, or of another endpoint");
    }
    if (offset < 0 || length < 0 || length > bytes || offset > bytes - length) {
      throw new IllegalArgumentException(
          "bytes " + offset + " + " + length + " are outside the peer's " + bytes);
    }
    return address + offset;
  }

  long handle() {
    return handle;
  }

  /** Bytes of the peer's memory. */
  public long bytes() {
    return bytes;
  }

  /** Gives the right back. A second call does nothing. */
  @Override
  public void close() {
    endpoint.worker().requireOwner();
    if (!closed) {
      endpoint.forget(this);
      destroy();
    }
  }

  /** Closes without telling the endpoint. */
  void destroy() {
    closed = true;
    Ucp.status(
        () -> {
          Ucp.RKEY_DESTROY.invokeExact(handle);
          return Ucp.OK;
        });
  }
}
