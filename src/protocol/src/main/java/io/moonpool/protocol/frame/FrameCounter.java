package io.moonpool.protocol.frame;

/** What {@link FrameCounters} count. */
public enum FrameCounter {
  /** Connections opened. */
  CONNECTIONS_OPENED,
  /** Connections closed, for whatever reason. */
  CONNECTIONS_CLOSED,
  /** Connections closed at once since there were too many. */
  CONNECTIONS_REFUSED,
  /** Frames received. */
  FRAMES_IN,
  /** Bytes received. */
  BYTES_IN,
  /** Frames sent. */
  FRAMES_OUT,
  /** Bytes sent, headers included. */
  BYTES_OUT,
  /** Calls begun and not yet answered: goes up and down. */
  IN_FLIGHT,
  /** Connections closed for a frame with a wrong magic or version, or one beyond the limit. */
  MALFORMED_FRAMES,
  /** Bodies that are not what the call takes or returns. */
  MALFORMED_BODIES,
  /** Calls of functions that are not served. */
  UNKNOWN_FUNCTIONS,
  /** Calls answered with a failure of the table. */
  FAILED_CALLS,
  /** Handlers or encoders that threw: bugs. */
  EXCEPTIONS,
  /** Connections closed since the peer stopped in the middle of a frame, or stopped reading. */
  STALLED_CONNECTIONS,
  /** Calls that got no answer in time. */
  TIMEOUTS,
  /** Answers that came after the timeout of their call. */
  LATE_ANSWERS
}
