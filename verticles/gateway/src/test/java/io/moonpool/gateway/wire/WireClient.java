package io.moonpool.gateway.wire;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * A client of Mooncake's protocol over a plain socket, written from the protocol's description
 * alone. One thread.
 */
public final class WireClient implements AutoCloseable {
  private static final String UUID_TYPE = "fd04048989ff";
  private static final String REPLICA =
      "fd0486fdfd0404800c800cfffffdfd0404800c800cfffffd800c04fffd"
          + UUID_TYPE
          + "04800cfffd800c04040401ffff01ff";
  private static final String CONFIG = "fd0404040685040b84800c800c84800c0b06800c8584800cff";
  private static final String SEGMENT = "fd" + UUID_TYPE + "800c0404800c800c800cff";
  private static final String VOID = "87fa01";
  private static final String TENANT = "default";
  private static final int MAGIC = 0x15;

  private final Socket socket = new Socket();
  private final boolean named;
  private final UUID id;
  private int sequence;

  /**
   * Connects.
   *
   * @param named whether its requests name their types
   */
  public WireClient(int port, UUID id, boolean named) {
    this.id = id;
    this.named = named;
    try {
      socket.connect(new InetSocketAddress("127.0.0.1", port), 5_000);
      socket.setSoTimeout(30_000);
      socket.setTcpNoDelay(true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The client's id. */
  public UUID id() {
    return id;
  }

  /** A segment of memory. */
  public record Segment(
      UUID id, String name, long base, long size, String endpoint, String protocol) {
    /** One that is reached by tcp. */
    public Segment(UUID id, String name, long base, long size, String endpoint) {
      this(id, name, base, size, endpoint, "tcp");
    }
  }

  /** A place in memory. */
  public record Place(long replica, long size, long address, String protocol, String endpoint) {}

  /** A located object. */
  public record Located(List<Place> places, long leaseMillis, OptionalLong checksum) {}

  /** The number that frames carry for a call. */
  public static int functionId(String call) {
    return WireBody.md5Prefix(
        ("mooncake::WrappedMasterService::" + call).getBytes(StandardCharsets.UTF_8));
  }

  /** A whole request. */
  public static byte[] frame(int sequence, int function, byte[] body) {
    ByteBuffer frame = ByteBuffer.allocate(20 + body.length).order(ByteOrder.LITTLE_ENDIAN);
    frame.putInt(MAGIC).putInt(sequence).putInt(function).putInt(body.length).putInt(0).put(body);
    return frame.array();
  }

  /** Sends bytes as they are. */
  public void send(byte[] bytes) {
    try {
      OutputStream out = socket.getOutputStream();
      out.write(bytes);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads one answer. */
  public WireAnswer receive() {
    try {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      byte[] header = in.readNBytes(16);
      if (header.length < 16) {
        throw new IOException("the connection was closed");
      }
      ByteBuffer fields = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
      if (fields.get(0) != MAGIC || fields.get(1) != 0 || fields.get(3) != 0) {
        throw new AssertionError("not the header of an answer");
      }
      if (fields.getInt(12) != 0) {
        throw new AssertionError("an answer has an attachment");
      }
      byte[] body = in.readNBytes(fields.getInt(8));
      return new WireAnswer(fields.getInt(4), fields.get(2) & 0xff, body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends a request without waiting for its answer. */
  public int begin(String call, String literal, WireBody body) {
    int number = sequence++;
    byte[] bytes = literal.isEmpty() ? new byte[0] : body.encode(literal, named);
    send(frame(number, functionId(call), bytes));
    return number;
  }

  /** One call and its result. */
  public WireAnswer call(String call, String literal, WireBody body, String resultLiteral) {
    int number = begin(call, literal, body);
    WireAnswer answer = receive();
    if (answer.sequence() != number || answer.error() != 0) {
      throw new AssertionError(
          call + " was answered with sequence " + answer.sequence() + ", error " + answer.error());
    }
    return answer.typed(resultLiteral);
  }

  private WireAnswer succeed(String call, String literal, WireBody body, String resultLiteral) {
    return call(call, literal, body, resultLiteral).expected();
  }

  public String serviceReady() {
    WireAnswer answer = succeed("ServiceReady", "", new WireBody(), "87800c01");
    String version = answer.text();
    answer.end();
    return version;
  }

  /** The directory of a shared file system. */
  public String storageConfig() {
    WireAnswer answer = succeed("GetStorageConfig", "", new WireBody(), "87fd800c0b04ff01");
    String directory = answer.text();
    answer.bool();
    answer.u64();
    answer.end();
    return directory;
  }

  private static WireBody segment(WireBody body, Segment segment) {
    return body.uuid(segment.id())
        .text(segment.name())
        .u64(segment.base())
        .u64(segment.size())
        .text(segment.endpoint())
        .text(segment.protocol())
        .text("");
  }

  public void mount(Segment segment) {
    succeed(
            "MountSegment",
            "fd" + SEGMENT + UUID_TYPE + "ff",
            segment(new WireBody(), segment).uuid(id),
            VOID)
        .end();
  }

  public void mountAgain(List<Segment> segments) {
    WireBody body = new WireBody().size(segments.size());
    segments.forEach(each -> segment(body, each));
    succeed("ReMountSegment", "fd84" + SEGMENT + UUID_TYPE + "ff", body.uuid(id), VOID).end();
  }

  public void unmount(UUID segment) {
    succeed(
            "UnmountSegment",
            "fd" + UUID_TYPE + UUID_TYPE + "ff",
            new WireBody().uuid(segment).uuid(id),
            VOID)
        .end();
  }

  /** The status of a segment: 1 for OK. */
  public int statusOf(UUID segment) {
    WireAnswer answer =
        succeed("QuerySegmentStatusById", UUID_TYPE, new WireBody().uuid(segment), "870101");
    int status = answer.i32();
    answer.end();
    return status;
  }

  /** The status: 1 for OK, 2 when it shall mount again. */
  public int ping() {
    WireAnswer answer = succeed("Ping", UUID_TYPE, new WireBody().uuid(id), "87fd0301ff01");
    answer.u64();
    int status = answer.i32();
    answer.end();
    return status;
  }

  public boolean exists(String key) {
    WireAnswer answer =
        succeed("ExistKey", "fd800c800cff", new WireBody().text(key).text(TENANT), "870b01");
    boolean exists = answer.bool();
    answer.end();
    return exists;
  }

  /** The fields of a write's wishes. */
  public static WireBody config(WireBody body, long replicas) {
    return config(body, replicas, List.of());
  }

  private static WireBody config(WireBody body, long replicas, List<String> preferred) {
    body.u64(replicas).u64(0).u64(0).u8(0).bool(false).bool(false).size(preferred.size());
    preferred.forEach(body::text);
    return body.text("").size(0).bool(false).u8(0).text("").bool(false);
  }

  public List<Place> putStart(String key, long size) {
    return start("PutStart", key, size, List.of());
  }

  /** Starts a put that would rather go to a segment of that name. */
  public List<Place> putStart(String key, long size, String preferred) {
    return start("PutStart", key, size, List.of(preferred));
  }

  public List<Place> upsertStart(String key, long size) {
    return start("UpsertStart", key, size, List.of());
  }

  private List<Place> start(String call, String key, long size, List<String> preferred) {
    WireBody body = config(new WireBody().uuid(id).text(key).u64(size), 1, preferred).text(TENANT);
    WireAnswer answer =
        succeed(
            call, "fd" + UUID_TYPE + "800c04" + CONFIG + "800cff", body, "8784" + REPLICA + "01");
    List<Place> places = places(answer);
    answer.end();
    return places;
  }

  /** Each item is its places, or the number of an error. */
  public List<Object> batchPutStart(List<String> keys, long size) {
    WireBody body = new WireBody().uuid(id).size(keys.size());
    keys.forEach(body::text);
    body.size(keys.size());
    keys.forEach(ignored -> body.u64(size));
    WireAnswer answer =
        call(
            "BatchPutStart",
            "fd" + UUID_TYPE + "84800c8404" + CONFIG + "800cff",
            config(body, 1).text(TENANT),
            "848784" + REPLICA + "01");
    List<Object> items = new ArrayList<>();
    int count = answer.size();
    for (int i = 0; i < count; i++) {
      if (answer.bool()) {
        items.add(places(answer));
      } else {
        items.add(answer.i32());
      }
    }
    answer.end();
    return items;
  }

  /** For each item 0, or the number of an error. */
  public List<Integer> batchPutEnd(List<String> keys) {
    WireBody body = new WireBody().uuid(id).size(keys.size());
    keys.forEach(key -> body.text(key).bool(false));
    WireAnswer answer =
        call(
            "BatchPutEnd",
            "fd" + UUID_TYPE + "84fd800c8504ff01800cff",
            body.i32(4).text(TENANT),
            "8487fa01");
    List<Integer> items = new ArrayList<>();
    int count = answer.size();
    for (int i = 0; i < count; i++) {
      items.add(answer.bool() ? 0 : answer.i32());
    }
    answer.end();
    return items;
  }

  private static List<Place> places(WireAnswer answer) {
    List<Place> places = new ArrayList<>();
    int count = answer.size();
    for (int i = 0; i < count; i++) {
      long replica = answer.u64();
      int kind = answer.u8();
      if (kind != 0) {
        throw new AssertionError("a replica of kind " + kind);
      }
      places.add(new Place(replica, answer.u64(), answer.u64(), answer.text(), answer.text()));
      answer.i32();
    }
    return places;
  }

  public void putEnd(String key, OptionalLong checksum) {
    end("PutEnd", key, checksum);
  }

  public void upsertEnd(String key) {
    end("UpsertEnd", key, OptionalLong.empty());
  }

  private void end(String call, String key, OptionalLong checksum) {
    WireBody body = new WireBody().uuid(id).text(key).bool(checksum.isPresent());
    checksum.ifPresent(body::u64);
    succeed(call, "fd" + UUID_TYPE + "fd800c8504ff01800cff", body.i32(4).text(TENANT), VOID).end();
  }

  public void putRevoke(String key) {
    succeed(
            "PutRevoke",
            "fd" + UUID_TYPE + "800c01800cff",
            new WireBody().uuid(id).text(key).i32(4).text(TENANT),
            VOID)
        .end();
  }

  public Located locate(String key) {
    WireAnswer answer =
        succeed(
            "GetReplicaList",
            "fd800c800cff",
            new WireBody().text(key).text(TENANT),
            "87fd84" + REPLICA + "048504ff01");
    List<Place> places = places(answer);
    long lease = answer.u64();
    OptionalLong checksum = answer.bool() ? OptionalLong.of(answer.u64()) : OptionalLong.empty();
    answer.end();
    return new Located(places, lease, checksum);
  }

  public void remove(String key, boolean force) {
    succeed("Remove", "fd800c0b800cff", new WireBody().text(key).bool(force).text(TENANT), VOID)
        .end();
  }

  /** Whether the master has closed the connection. */
  public boolean isClosedByPeer() {
    try {
      return socket.getInputStream().read() < 0;
    } catch (java.net.SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
