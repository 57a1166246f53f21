package io.moonpool.protocol.heartbeat;

import io.netty.buffer.ByteBuf;

/**
 * The layout of a ping and of its answer, both {@link #BYTES} long, all integers little-endian:
 *
 * <pre>
 *  0  u32  magic, the letters MPHB; the first byte differs from that of other frames
 *  4  u8   version, 1
 *  5  u8   kind: 1 ping, 2 answer
 *  6  u16  status of an answer ({@link PingStatus}); 0 in a ping
 *  8  i32  ping: liveness slot of the node; answer: epoch of the master's start
 * 12  u32  ping: zero; answer: version of the master's view of the nodes
 * 16  u64  incarnation of the node
 * 24  u64  sequence, counted by the node
 * 32  u64  the node's clock at sending, in nanoseconds; only the node reads it, to time round trips
 * </pre>
 *
 * <p>An answer is the ping with its first 16 bytes replaced, so a server can answer inside the
 * buffer that it read. All methods work at an absolute index, allocate nothing and may be called by
 * any thread that owns the buffer.
 */
public final class HeartbeatFrame {
  /** The size of a ping and of an answer. */
  public static final int BYTES = 40;

  /** The first byte of a heartbeat frame. */
  public static final byte FIRST_BYTE = 'M';

  private static final int MAGIC = 'M' | 'P' << 8 | 'H' << 16 | 'B' << 24;
  private static final int VERSION = 1;
  private static final int PING = 1;
  private static final int ANSWER = 2;

  private static final int VERSION_AT = 4;
  private static final int KIND_AT = 5;
  private static final int STATUS_AT = 6;
  private static final int SLOT_AT = 8;
  private static final int EPOCH_AT = 8;
  private static final int ZERO_AT = 12;
  private static final int VIEW_AT = 12;
  private static final int INCARNATION_AT = 16;
  private static final int SEQUENCE_AT = 24;
  private static final int SENT_NANOS_AT = 32;

  private HeartbeatFrame() {}

  /** Writes a ping of {@link #BYTES} at an index; the buffer must have that capacity. */
  public static void setPing(
      ByteBuf frame, int at, int slot, long incarnation, long sequence, long sentNanos) {
    frame.setIntLE(at, MAGIC);
    frame.setByte(at + VERSION_AT, VERSION);
    frame.setByte(at + KIND_AT, PING);
    frame.setShortLE(at + STATUS_AT, 0);
    frame.setIntLE(at + SLOT_AT, slot);
    frame.setIntLE(at + ZERO_AT, 0);
    frame.setLongLE(at + INCARNATION_AT, incarnation);
    frame.setLongLE(at + SEQUENCE_AT, sequence);
    frame.setLongLE(at + SENT_NANOS_AT, sentNanos);
  }

  /**
   * Turns the ping at an index into its answer.
   *
   * @param masterEpoch of the start of the master, 1 to 2^31-1: its incarnation
   * @param viewVersion differs from that of an earlier answer of the same start when a node came or
   *     went in between
   */
  public static void setAnswer(
      ByteBuf frame, int at, PingStatus status, int masterEpoch, int viewVersion) {
    frame.setByte(at + KIND_AT, ANSWER);
    frame.setShortLE(at + STATUS_AT, status.number());
    frame.setIntLE(at + EPOCH_AT, masterEpoch);
    frame.setIntLE(at + VIEW_AT, viewVersion);
  }

  /** True when the {@link #BYTES} at an index are a ping of this version. */
  public static boolean isPing(ByteBuf frame, int at) {
    return isFrame(frame, at, PING)
        && frame.getShortLE(at + STATUS_AT) == 0
        && frame.getIntLE(at + ZERO_AT) == 0;
  }

  /** True when the {@link #BYTES} at an index are an answer of this version. */
  public static boolean isAnswer(ByteBuf frame, int at) {
    int status = frame.getUnsignedShortLE(at + STATUS_AT);
    return isFrame(frame, at, ANSWER)
        && status >= PingStatus.OK.number()
        && status <= PingStatus.SUSPECTED.number();
  }

  private static boolean isFrame(ByteBuf frame, int at, int kind) {
    return frame.getIntLE(at) == MAGIC
        && frame.getByte(at + VERSION_AT) == VERSION
        && frame.getByte(at + KIND_AT) == kind;
  }

  /** The start of the master that an answer is from. */
  public static int masterEpoch(ByteBuf frame, int at) {
    return frame.getIntLE(at + EPOCH_AT);
  }

  /** The version of the master's view of the nodes, of an answer. */
  public static int viewVersion(ByteBuf frame, int at) {
    return frame.getIntLE(at + VIEW_AT);
  }

  /** The liveness slot of a ping. */
  public static int slot(ByteBuf frame, int at) {
    return frame.getIntLE(at + SLOT_AT);
  }

  /** The incarnation. */
  public static long incarnation(ByteBuf frame, int at) {
    return frame.getLongLE(at + INCARNATION_AT);
  }

  /** The sequence. */
  public static long sequence(ByteBuf frame, int at) {
    return frame.getLongLE(at + SEQUENCE_AT);
  }

  /** The node's clock when it sent the ping, in nanoseconds. */
  public static long sentNanos(ByteBuf frame, int at) {
    return frame.getLongLE(at + SENT_NANOS_AT);
  }

  /** The status of a frame for which {@link #isAnswer} holds. */
  public static PingStatus status(ByteBuf frame, int at) {
    return PingStatus.ofNumber(frame.getUnsignedShortLE(at + STATUS_AT));
  }
}
