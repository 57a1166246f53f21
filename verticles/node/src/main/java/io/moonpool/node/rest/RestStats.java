package io.moonpool.node.rest;

import java.util.concurrent.atomic.LongAdder;

/** What the REST interface counts. Written on its loop, read by metrics. */
public final class RestStats {
  private final LongAdder requests = new LongAdder();
  private final LongAdder clientErrors = new LongAdder();
  private final LongAdder serverErrors = new LongAdder();
  private final LongAdder bytesIn = new LongAdder();
  private final LongAdder bytesOut = new LongAdder();
  private final LongAdder stagingWaits = new LongAdder();
  private final LongAdder stagingRefusals = new LongAdder();
  private final LongAdder idleCuts = new LongAdder();

  void answered(int status) {
    requests.increment();
    if (status >= 500) {
      serverErrors.increment();
    } else if (status >= 400) {
      clientErrors.increment();
    }
  }

  void received(long bytes) {
    bytesIn.add(bytes);
  }

  void sent(long bytes) {
    bytesOut.add(bytes);
  }

  void stagingWaited() {
    stagingWaits.increment();
  }

  void stagingRefused() {
    stagingRefusals.increment();
  }

  void idleCut() {
    idleCuts.increment();
  }

  /** Times that a request had to wait for staging memory. */
  public long stagingWaits() {
    return stagingWaits.sum();
  }

  /** Requests that waited for it in vain. */
  public long stagingRefusals() {
    return stagingRefusals.sum();
  }

  /** Requests that were cut off, since their peer did nothing while others waited for memory. */
  public long idleCuts() {
    return idleCuts.sum();
  }

  /** Requests that were answered. */
  public long requests() {
    return requests.sum();
  }

  /** Those answered with a status of 400 to 499. */
  public long clientErrors() {
    return clientErrors.sum();
  }

  /** Those answered with a status of 500 and above. */
  public long serverErrors() {
    return serverErrors.sum();
  }

  /** Bytes of values received. */
  public long bytesIn() {
    return bytesIn.sum();
  }

  /** Bytes of values sent. */
  public long bytesOut() {
    return bytesOut.sum();
  }
}
