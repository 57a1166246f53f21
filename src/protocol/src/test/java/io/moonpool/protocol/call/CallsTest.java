package io.moonpool.protocol.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.model.Checksum;
import io.moonpool.model.ChecksumKind;
import io.moonpool.model.ClientInfo;
import io.moonpool.model.ClientState;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.ObjectDataType;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.Outcome;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.ReplicaStatus;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.ReplicateConfig;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentSpec;
import io.moonpool.model.SegmentStatus;
import io.moonpool.model.SoftPinAction;
import io.moonpool.model.StoreException;
import io.moonpool.model.TaskType;
import io.moonpool.protocol.heartbeat.PingStatus;
import io.moonpool.protocol.wire.Codec;
import io.moonpool.protocol.wire.Form;
import io.moonpool.protocol.wire.MalformedMessage;
import io.moonpool.protocol.wire.Scalars;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The table of calls: names, ids, and every message there and back. */
class CallsTest {
  private static final int LIMIT = 1 << 24;
  private static final int PUT_START_ID = 0xed51d71a;

  /** A call with one request and one result. */
  private record Example<Q, R>(Call<Q, R> call, Q request, R result) {
    void check() {
      for (Form form : Form.values()) {
        assertSame(decodeRequest(encodeRequest(form)), request);
        assertSame(decodeResult(encodeResult(form)), result);
      }
      failsAsAWhole();
    }

    byte[] encodeRequest(Form form) {
      return bytes(call.request().encode(ByteBufAllocator.DEFAULT, 0, LIMIT, request, form));
    }

    byte[] encodeResult(Form form) {
      return bytes(call.answer().encode(ByteBufAllocator.DEFAULT, 0, LIMIT, result, form));
    }

    Q decodeRequest(byte[] bytes) {
      return call.request().decode(Unpooled.wrappedBuffer(bytes));
    }

    R decodeResult(byte[] bytes) {
      return call.answer().decode(Unpooled.wrappedBuffer(bytes));
    }

    private void failsAsAWhole() {
      StoreException failure = new StoreException(ErrorCode.INVALID_PARAMS, "do it differently");
      byte[] bytes =
          bytes(
              call.answer().encodeFailure(ByteBufAllocator.DEFAULT, 0, LIMIT, failure, Form.SHORT));
      assertThatThrownBy(() -> decodeResult(bytes))
          .isInstanceOf(StoreException.class)
          .hasMessage("INVALID_PARAMS: do it differently")
          .extracting(e -> ((StoreException) e).code())
          .isEqualTo(ErrorCode.INVALID_PARAMS);
    }

    /** Flips bytes of both bodies: a value or a malformed message, never anything else. */
    void mutate(SplittableRandom random) {
      for (Form form : Form.values()) {
        tryDecode(() -> decodeRequest(flipped(encodeRequest(form), random)));
        tryDecode(() -> decodeResult(flipped(encodeResult(form), random)));
      }
    }
  }

  private static void tryDecode(Runnable decode) {
    try {
      decode.run();
    } catch (MalformedMessage | StoreException e) {
      assertThat(e).hasNoCause();
    }
  }

  private static byte[] flipped(byte[] bytes, SplittableRandom random) {
    for (int flips = 1 + random.nextInt(3); flips > 0 && bytes.length > 4; flips--) {
      bytes[4 + random.nextInt(bytes.length - 4)] = (byte) random.nextInt();
    }
    return random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)) : bytes;
  }

  private static byte[] bytes(ByteBuf buffer) {
    try {
      return ByteBufUtil.getBytes(buffer);
    } finally {
      buffer.release();
    }
  }

  /** Records with arrays compare them by identity: look inside. */
  private static void assertSame(Object actual, Object expected) {
    assertThat(actual)
        .usingRecursiveComparison()
        .withEqualsForType(KeyBatch::equals, KeyBatch.class)
        .isEqualTo(expected);
  }

  private static final UUID WRITER = new UUID(1, -2);
  private static final byte[] KEY = {0, -1, 'k'};
  private static final KeyBatch KEYS = KeyBatch.of(List.of("a", "日本", "x".repeat(300)));

  private static List<Example<?, ?>> examples() {
    int[] blocks = {1, -1, 0x7fffffff};
    Checksum blocked = new Checksum(ChecksumKind.CRC32C, 0xffffffffL, blocks);
    ReplicateConfig config =
        new ReplicateConfig(
            3,
            SoftPinAction.ENABLE,
            OptionalLong.of(5),
            true,
            List.of("s1", "s2"),
            true,
            ObjectDataType.GENERAL,
            "host",
            List.of("", "g", ""));
    ReplicaDescriptor replica =
        new ReplicaDescriptor(
            -1, ReplicaType.LOCAL_DISK, ReplicaStatus.REMOVED, Long.MIN_VALUE, 1L << 40, -3);
    ObjectInfo info =
        new ObjectInfo(
            "t",
            "k",
            1L << 40,
            -7,
            blocked,
            1,
            2,
            true,
            ObjectDataType.KVCACHE,
            "g",
            List.of(replica, replica));
    SegmentSpec spec =
        SegmentSpec.memory(
            WRITER,
            "segment",
            1L << 45,
            "host",
            List.of(
                new SegmentEndpoint("shm", new byte[] {0, -1}),
                new SegmentEndpoint("tcp", new byte[0])));
    StartObjects start =
        new StartObjects(
            WRITER, "tenant", KEYS, new long[] {1, 2, -1}, config, new long[] {1L << 40, -3});
    List<Outcome<StartedObject>> started =
        List.of(
            Outcome.of(new StartedObject(9, List.of(replica))),
            Outcome.error(ErrorCode.NO_AVAILABLE_HANDLE));
    List<Outcome<Void>> done =
        List.of(Outcome.done(), Outcome.error(ErrorCode.OBJECT_NOT_FOUND), Outcome.done());
    NamedObjects named = new NamedObjects("", KEYS);
    DiskObject onDisk =
        new DiskObject("t", KEY, -7, 1L << 40, blocked, ObjectDataType.KVCACHE, true, 5_000, "g");
    ReplicaTask transfer =
        new ReplicaTask(
            WRITER,
            TaskType.REPLICA_COPY,
            false,
            onDisk,
            new ReplicaSource(ReplicaType.MEMORY, -7, 1L << 41),
            List.of(new ReplicaTarget(1, 2, 3)),
            30_000);
    DiskRecord record = new DiskRecord("t", KEY, -7);
    return List.of(
        new Example<>(
            Calls.HELLO,
            new Hello(1, "me"),
            new HelloAnswer(1, "0.1", "cluster", -5, 10_000, 30_000, 50_062)),
        new Example<>(
            Calls.REGISTER_NODE,
            new RegisterNode(WRITER, new UUID(7, 8), "host", "h:9300"),
            new NodeRegistration(-1, 77, 10_000)),
        new Example<>(Calls.UNREGISTER_NODE, new UnregisterNode(WRITER, -5), null),
        new Example<>(
            Calls.MOUNT_SEGMENTS,
            new MountSegments(WRITER, 5, List.of(spec, spec)),
            List.of(Outcome.of(-1L), Outcome.error(ErrorCode.SEGMENT_ALREADY_EXISTS))),
        new Example<>(
            Calls.UNMOUNT_SEGMENT, new UnmountSegment(WRITER, 5, new UUID(3, 4), 100), null),
        new Example<>(
            Calls.DESCRIBE_SEGMENTS,
            new DescribeSegments(new long[] {1, -1}),
            List.of(
                new SegmentInfo(spec, WRITER, 3, SegmentStatus.DRAINING, ClientState.OFFLINE, 9))),
        new Example<>(
            Calls.CLIENTS,
            new ListClients(),
            List.of(new ClientInfo(WRITER, 1, "h", "a", ClientState.SUSPECTED, 5, 2))),
        new Example<>(Calls.PUT_START, start, started),
        new Example<>(Calls.UPSERT_START, start, started),
        new Example<>(
            Calls.END,
            new EndObjects(
                WRITER,
                "t",
                KEYS,
                new long[] {1, 2, 3},
                List.of(Checksum.NONE, blocked, Checksum.crc32c(-1))),
            done),
        new Example<>(
            Calls.REVOKE, new RevokeObjects(WRITER, "t", KEYS, new long[] {1, 2, 3}), done),
        new Example<>(
            Calls.LOCATE,
            named,
            List.of(
                Outcome.of(new LocatedObject(1, 2, 3, blocked, List.of(replica))),
                Outcome.error(ErrorCode.REPLICA_IS_NOT_READY))),
        new Example<>(
            Calls.EXISTS,
            named,
            List.of(Outcome.of(true), Outcome.of(false), Outcome.error(ErrorCode.INVALID_KEY))),
        new Example<>(Calls.DESCRIBE, named, List.of(Outcome.of(info))),
        new Example<>(Calls.REMOVE, new RemoveObjects("t", KEYS, true), done),
        new Example<>(Calls.REMOVE_MATCHING, new RemoveMatching("t", "^a.*", false), 1L << 33),
        new Example<>(
            Calls.LIST,
            new ListObjects("t", "", -1, 10_000),
            new ObjectPage(List.of(info), Long.MIN_VALUE)),
        new Example<>(
            Calls.PING, new Ping(3, -1, 8), new PingAnswer(8, PingStatus.SUSPECTED, 3, -2)),
        new Example<>(
            Calls.REPORT_DISK_OBJECTS,
            new ReportDiskObjects(WRITER, -1, 5, List.of(onDisk, onDisk), true),
            done),
        new Example<>(
            Calls.TAKE_DISK_WORK,
            new TakeDiskWork(WRITER, 1, -5, 1L << 40, true, 500, 8, 10_000),
            new DiskWork(
                List.of(new OffloadTask(onDisk, -1, Long.MIN_VALUE, 1L << 40, 600_000)),
                List.of(new PromotionTask(onDisk, new ReplicaTarget(-1, 2, 1L << 40), 30_000)),
                List.of(record, record),
                4_711)),
        new Example<>(
            Calls.SETTLE_OFFLOADS,
            new SettleOffloads(
                WRITER,
                1,
                2,
                List.of(
                    new SettledOffload("t", record.key(), -1, 4, true),
                    new SettledOffload("", new byte[] {9}, 3, -4, false))),
            done),
        new Example<>(
            Calls.SETTLE_PROMOTIONS,
            new SettlePromotions(
                WRITER,
                1,
                2,
                List.of(
                    new SettledPromotion("t", record.key(), -1, 4, true),
                    new SettledPromotion("", new byte[] {9}, 3, -4, false))),
            done),
        new Example<>(
            Calls.DROP_DISK_OBJECTS, new DropDiskObjects(WRITER, 1, 2, List.of(record)), done),
        new Example<>(Calls.ACK_TOMBSTONES, new AckTombstones(WRITER, 1, 2, List.of(record)), null),
        new Example<>(
            Calls.OFFLOAD_SEGMENT,
            new OffloadSegment(WRITER, -1, 2),
            new MemoryOnly(3, 1L << 40, 1, List.of(record, record))),
        new Example<>(
            Calls.TAKE_TASKS,
            new TakeTasks(WRITER, -1, 16, 30_000),
            List.of(
                new ReplicaTask(
                    new UUID(-3, 4),
                    TaskType.REPLICA_MOVE,
                    true,
                    onDisk,
                    new ReplicaSource(ReplicaType.LOCAL_DISK, -5, 0),
                    List.of(new ReplicaTarget(-6, Long.MIN_VALUE, 1L << 40)),
                    new UUID(7, -8),
                    1_024,
                    60_000),
                new ReplicaTask(
                    new UUID(5, -6),
                    TaskType.REPLICA_COPY,
                    false,
                    onDisk,
                    new ReplicaSource(ReplicaType.MEMORY, 7, 1L << 41),
                    List.of(new ReplicaTarget(1, 2, 3), new ReplicaTarget(4, 5, 6)),
                    new UUID(5, -6),
                    1,
                    0))),
        new Example<>(
            Calls.SETTLE_TASKS,
            new SettleTasks(
                WRITER,
                1L << 63,
                List.of(
                    new SettledTask(new UUID(-3, 4), 0, ""),
                    new SettledTask(
                        new UUID(5, -6), ErrorCode.FILE_OPEN_FAIL.number(), "no such file"))),
            done),
        new Example<>(
            Calls.COPY_START,
            new StartTransfer(WRITER, "t", record.key(), "", List.of("a", "b")),
            transfer),
        new Example<>(Calls.COPY_END, new EndTransfer(WRITER, "t", record.key(), -1), null),
        new Example<>(Calls.COPY_REVOKE, new EndTransfer(WRITER, "", record.key(), 1), null),
        new Example<>(
            Calls.MOVE_START,
            new StartTransfer(WRITER, "", record.key(), "a", List.of("b")),
            transfer),
        new Example<>(Calls.MOVE_END, new EndTransfer(WRITER, "", record.key(), 2), null),
        new Example<>(Calls.MOVE_REVOKE, new EndTransfer(WRITER, "", record.key(), 3), null));
  }

  private static List<Example<?, ?>> nodeExamples() {
    SegmentInfo staging =
        new SegmentInfo(
            SegmentSpec.memory(
                WRITER, "staging", 1L << 30, "host", List.of(new SegmentEndpoint("tcp", KEY))),
            WRITER,
            7,
            SegmentStatus.OK,
            ClientState.ACTIVE,
            0);
    return List.of(
        new Example<>(
            NodeCalls.STAGE,
            new StageObjects("t", KEYS, new long[] {1, -1, 3}, 1L << 40, -1),
            new StagedObjects(
                -1,
                5_000,
                staging,
                List.of(Outcome.of(1L << 29), Outcome.error(ErrorCode.FILE_READ_FAIL)))),
        new Example<>(NodeCalls.RELEASE, new ReleaseStaged(-1), null));
  }

  @Test
  void everyCallThereAndBack() {
    List<Example<?, ?>> examples = examples();

    assertThat(examples.stream().map(example -> (Object) example.call()).toList())
        .isEqualTo(new ArrayList<>(Calls.ALL));
    examples.forEach(Example::check);
    assertThat(nodeExamples().stream().map(example -> (Object) example.call()).toList())
        .isEqualTo(new ArrayList<>(NodeCalls.ALL));
    nodeExamples().forEach(Example::check);
  }

  @Test
  void mutatedBodiesAreValuesOrMalformed() {
    SplittableRandom random = new SplittableRandom(11);
    for (int i = 0; i < 200; i++) {
      examples().forEach(example -> example.mutate(random));
      nodeExamples().forEach(example -> example.mutate(random));
    }
  }

  @Test
  void idsAreDistinctAndNamesQualified() {
    assertThat(Calls.ALL.stream().map(Call::functionId)).doesNotHaveDuplicates();
    assertThat(Calls.ALL)
        .allSatisfy(call -> assertThat(call.name()).startsWith("moonpool::Master::"));
    // The first four bytes of the MD5 of moonpool::Master::PutStart.
    assertThat(Calls.PUT_START.functionId()).isEqualTo(PUT_START_ID);
  }

  @Test
  void answersOfOtherFormsOfFailure() {
    Answer<Long> code = Answer.orCode(Scalars.I64);
    assertThat(code.literal()).isEqualTo("870301");
    assertThatThrownBy(() -> fail(code))
        .isInstanceOf(StoreException.class)
        .hasMessage("INVALID_KEY: " + ErrorCode.INVALID_KEY.sentence());
  }

  private static void fail(Answer<Long> answer) {
    StoreException failure = new StoreException(ErrorCode.INVALID_KEY);
    ByteBuf body = answer.encodeFailure(ByteBufAllocator.DEFAULT, 0, LIMIT, failure, Form.LITERAL);
    try {
      answer.decode(body);
    } finally {
      body.release();
    }
  }

  @Test
  void plainAnswersCarryNoFailure() {
    Codec<Long> result = Scalars.I64;
    Answer<Long> plain = Answer.plain(result);

    assertThat(plain.literal()).isEqualTo("03");
    assertThat(plain.carriesFailures()).isFalse();
    ByteBuf body = plain.encode(ByteBufAllocator.DEFAULT, 0, LIMIT, 5L, Form.SHORT);
    assertThat(plain.decode(body)).isEqualTo(5L);
    body.release();
  }
}
