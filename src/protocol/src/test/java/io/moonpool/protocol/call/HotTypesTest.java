package io.moonpool.protocol.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.model.Checksum;
import io.moonpool.model.ChecksumKind;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.ReplicaStatus;
import io.moonpool.model.ReplicaType;
import io.moonpool.protocol.wire.Codec;
import io.moonpool.protocol.wire.Form;
import io.moonpool.protocol.wire.MalformedMessage;
import io.moonpool.protocol.wire.Message;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What is spelled out is on the wire what its generic codec says, both ways. */
class HotTypesTest {
  private static final int LIMIT = 1 << 20;

  private final SplittableRandom random = new SplittableRandom(11);

  private Checksum checksum() {
    // More than 255 blocks make the sizes of containers wider.
    int blocks = random.nextInt(4) == 0 ? 300 : random.nextInt(3);
    return new Checksum(
        ChecksumKind.ofNumber(random.nextInt(ChecksumKind.values().length)),
        random.nextLong(),
        random.ints(blocks).toArray());
  }

  private ReplicaDescriptor replica() {
    return new ReplicaDescriptor(
        random.nextLong(),
        ReplicaType.values()[random.nextInt(ReplicaType.values().length)],
        ReplicaStatus.values()[random.nextInt(ReplicaStatus.values().length)],
        random.nextLong(),
        random.nextLong(),
        random.nextLong());
  }

  private List<ReplicaDescriptor> replicas() {
    List<ReplicaDescriptor> replicas = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      replicas.add(replica());
    }
    return replicas;
  }

  @Test
  void checksums() {
    for (int i = 0; i < 200; i++) {
      check(HotTypes.CHECKSUM, HotTypes.CHECKSUM_STRUCT, checksum());
    }
  }

  @Test
  void replicaDescriptors() {
    for (int i = 0; i < 200; i++) {
      check(HotTypes.REPLICA, HotTypes.REPLICA_STRUCT, replica());
    }
  }

  @Test
  void startedObjects() {
    for (int i = 0; i < 200; i++) {
      StartedObject value = new StartedObject(random.nextLong(), replicas());
      check(HotTypes.STARTED_OBJECT, HotTypes.STARTED_OBJECT_STRUCT, value);
    }
  }

  @Test
  void locatedObjects() {
    for (int i = 0; i < 200; i++) {
      LocatedObject value =
          new LocatedObject(
              random.nextLong(), random.nextLong(), random.nextLong(), checksum(), replicas());
      check(HotTypes.LOCATED_OBJECT, HotTypes.LOCATED_OBJECT_STRUCT, value);
    }
  }

  @Test
  void anyOtherBytesAreMalformedForBoth() {
    LocatedObject value = new LocatedObject(1, 2, 3, checksum(), List.of(replica()));
    byte[] bytes = bytes(Message.of(HotTypes.LOCATED_OBJECT), value, Form.SHORT);
    for (int i = 0; i < 2_000; i++) {
      byte[] broken = bytes.clone();
      broken[4 + random.nextInt(broken.length - 4)] = (byte) random.nextInt();
      Object generic = read(HotTypes.LOCATED_OBJECT_STRUCT, broken);
      assertThat(read(HotTypes.LOCATED_OBJECT, broken)).isEqualTo(generic);
    }
    assertThatThrownBy(
            () ->
                Message.of(HotTypes.LOCATED_OBJECT)
                    .decode(Unpooled.wrappedBuffer(bytes, 0, bytes.length - 1)))
        .isInstanceOf(MalformedMessage.class);
  }

  /** The value, or the class of what was thrown. */
  private static <T> Object read(Codec<T> codec, byte[] bytes) {
    try {
      return Message.of(codec).decode(Unpooled.wrappedBuffer(bytes));
    } catch (MalformedMessage e) {
      return e.getClass();
    }
  }

  private static <T> void check(Codec<T> spelledOut, Codec<T> struct, T value) {
    Message<T> message = Message.of(spelledOut);
    Message<T> generic = Message.of(struct);
    assertThat(message.literal()).isEqualTo(generic.literal());
    assertThat(spelledOut.fixedBytes()).isEqualTo(struct.fixedBytes());
    assertThat(spelledOut.minBytes()).isEqualTo(struct.minBytes());
    for (Form form : Form.values()) {
      byte[] bytes = bytes(message, value, form);
      assertThat(bytes).isEqualTo(bytes(generic, value, form));
      assertThat(message.decode(Unpooled.wrappedBuffer(bytes))).isEqualTo(value);
      assertThat(generic.decode(Unpooled.wrappedBuffer(bytes))).isEqualTo(value);
    }
  }

  private static <T> byte[] bytes(Message<T> message, T value, Form form) {
    ByteBuf buffer = message.encode(ByteBufAllocator.DEFAULT, 0, LIMIT, value, form);
    try {
      return ByteBufUtil.getBytes(buffer);
    } finally {
      buffer.release();
    }
  }
}
