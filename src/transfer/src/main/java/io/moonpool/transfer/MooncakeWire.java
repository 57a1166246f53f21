package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.netty.buffer.ByteBuf;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * What goes over the connections of Mooncake's {@code tcp} transport. All numbers are
 * little-endian.
 *
 * <p>A handshake is one message from each side: the length of type and text as 8 bytes, the type as
 * one byte, and a JSON text that describes the sender. On the data port a request has {@value
 * #HEADER_BYTES} bytes, and after them what is to be written:
 *
 * <pre>
 *  0 long size    8 long address    16 byte opcode    17 seven bytes of anything
 * </pre>
 *
 * <p>It is answered with {@value #STATUS_BYTES} bytes, a code and a mark, once all that was to be
 * written is there, or before what is read.
 */
final class MooncakeWire {
  static final int GREETING_BYTES = 9;
  static final int HEADER_BYTES = 24;
  static final int STATUS_BYTES = 8;

  /** The longest handshake in bytes. It names all memory of a peer, so it can be long. */
  static final long MAX_GREETING = 4L << 20;

  static final byte READ = 0;
  static final byte WRITE = 1;

  static final int DONE = 0;
  static final int REJECTED = 1;

  /** The version whose requests are answered with a status. */
  static final int VERSION = 2;

  private static final byte GREETING = 1;
  private static final int WITH_STATUS = 0x80;
  private static final int MARK = 0x4d435456;
  private static final int PADDING = 7;

  private MooncakeWire() {}

  /**
   * A decoded request.
   *
   * @param size bytes, unsigned and unchecked
   */
  record Header(byte opcode, long size, long address) {}

  static void writeHeader(ByteBuf out, Header header) {
    out.writeLongLE(header.size);
    out.writeLongLE(header.address);
    out.writeByte(header.opcode | WITH_STATUS);
    out.writeZero(PADDING);
  }

  /**
   * Reads a request of {@value #HEADER_BYTES} bytes.
   *
   * @throws ProtocolException when it is not one
   */
  static Header readHeader(ByteBuf in) throws ProtocolException {
    long size = in.readLongLE();
    long address = in.readLongLE();
    int opcode = in.readUnsignedByte();
    in.skipBytes(PADDING);
    if (opcode < WITH_STATUS) {
      throw new ProtocolException("a request of version 1, which cannot be answered");
    }
    int operation = opcode - WITH_STATUS;
    if (operation != READ && operation != WRITE) {
      throw new ProtocolException("opcode " + opcode);
    }
    return new Header((byte) operation, size, address);
  }

  static void writeStatus(ByteBuf out, int code) {
    out.writeIntLE(code);
    out.writeIntLE(MARK);
  }

  /**
   * Reads a status of {@value #STATUS_BYTES} bytes.
   *
   * @return {@link #DONE}, {@link #REJECTED} or another code
   * @throws ProtocolException when it is not one
   */
  static int readStatus(ByteBuf in) throws ProtocolException {
    int code = in.readIntLE();
    if (in.readIntLE() != MARK) {
      throw new ProtocolException("not a status");
    }
    return code;
  }

  /**
   * Reads the first {@value #GREETING_BYTES} bytes of a handshake.
   *
   * @return how many bytes of text follow
   * @throws ProtocolException when they are of something else
   */
  static long readGreeting(ByteBuf in) throws ProtocolException {
    long length = in.readLongLE();
    byte type = in.readByte();
    if (length < 2 || length > MAX_GREETING) {
      throw new ProtocolException("a handshake of " + Long.toUnsignedString(length) + " bytes");
    }
    if (type != GREETING) {
      throw new ProtocolException("a handshake of type " + type);
    }
    return length - 1;
  }

  static void writeGreeting(ByteBuf out, byte[] text) {
    out.writeLongLE(text.length + 1L);
    out.writeByte(GREETING);
    out.writeBytes(text);
  }

  /**
   * A piece of memory, as a handshake names it.
   *
   * @param address of its first byte
   */
  record Memory(long address, long length) {}

  /**
   * The text of a handshake.
   *
   * @param dataPort 0 when the sender serves nothing
   */
  static byte[] description(String name, int dataPort, List<Memory> buffers) {
    JsonArray named = new JsonArray();
    for (Memory buffer : buffers) {
      named.add(
          new JsonObject()
              .put("addr", buffer.address)
              .put("length", buffer.length)
              .put("name", "cpu:0"));
    }
    return new JsonObject()
        .put("buffers", named)
        .put("name", name)
        .put("protocol", "tcp")
        .put("tcp_data_port", dataPort)
        .put("tcp_proto_version", VERSION)
        .put("timestamp", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString())
        .toBuffer()
        .getBytes();
  }

  /**
   * The port of the data that a handshake tells.
   *
   * @throws StoreException TRANSFER_FAIL when it tells none, or of another transport
   */
  static int dataPort(byte[] text) {
    try {
      JsonObject said = new JsonObject(Buffer.buffer(text));
      // As long ones: others than they can be are not cut to what they can be.
      Long port = said.getLong("tcp_data_port");
      Long version = said.getLong("tcp_proto_version");
      if (!"tcp".equals(said.getString("protocol")) || port == null) {
        throw unusable("it does not serve the tcp transport");
      }
      if (port < 1 || port > 65_535) {
        throw unusable("its data port is " + port);
      }
      if (version == null || version < VERSION) {
        throw unusable("it speaks version 1 of the transport, whose writes are not answered");
      }
      return Math.toIntExact(port);
    } catch (DecodeException | ClassCastException e) {
      throw unusable("its handshake is not as it should be: " + e.getMessage());
    }
  }

  private static StoreException unusable(String why) {
    return new StoreException(
        ErrorCode.TRANSFER_FAIL, "the owner of the segment cannot be reached: " + why);
  }
}
