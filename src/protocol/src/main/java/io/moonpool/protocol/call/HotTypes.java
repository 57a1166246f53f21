package io.moonpool.protocol.call;

import static io.moonpool.protocol.wire.Structs.field;
import static io.moonpool.protocol.wire.Structs.i64;
import static io.moonpool.protocol.wire.Structs.struct;
import static io.moonpool.protocol.wire.Structs.u64;

import io.moonpool.model.Checksum;
import io.moonpool.model.ChecksumKind;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.ReplicaStatus;
import io.moonpool.model.ReplicaType;
import io.moonpool.protocol.wire.Codec;
import io.moonpool.protocol.wire.Containers;
import io.moonpool.protocol.wire.Scalars;
import io.moonpool.protocol.wire.Sizes;
import io.moonpool.protocol.wire.WireReader;
import io.moonpool.protocol.wire.WireWriter;
import java.io.ByteArrayOutputStream;
import java.util.List;

/**
 * The structs that batches of keys are made of. Each has its generic codec, which says what it is;
 * what reads and writes is spelled out beside it, since a call through a field object for each
 * member costs several times what its bytes do.
 */
final class HotTypes {
  private static final Codec<ChecksumKind> CHECKSUM_KIND =
      Scalars.enumeration(Scalars.U8, ChecksumKind::number, ChecksumKind::ofNumber);

  private static final Codec<int[]> BLOCKS = Containers.ints(Scalars.U32);

  static final Codec<ReplicaType> REPLICA_TYPE =
      Scalars.enumeration(Scalars.U8, ReplicaType::number, ReplicaType::ofNumber);

  private static final Codec<ReplicaStatus> REPLICA_STATUS =
      Scalars.enumeration(Scalars.U8, ReplicaStatus::number, ReplicaStatus::ofNumber);

  static final Codec<Checksum> CHECKSUM_STRUCT =
      struct(
          field(CHECKSUM_KIND, Checksum::kind),
          u64(Checksum::value),
          field(BLOCKS, Checksum::blocks),
          Checksum::new);

  static final Codec<Checksum> CHECKSUM = new ChecksumCodec();

  static final Codec<ReplicaDescriptor> REPLICA_STRUCT =
      struct(
          u64(ReplicaDescriptor::id),
          field(REPLICA_TYPE, ReplicaDescriptor::type),
          field(REPLICA_STATUS, ReplicaDescriptor::status),
          u64(ReplicaDescriptor::generation),
          u64(ReplicaDescriptor::offset),
          u64(ReplicaDescriptor::size),
          ReplicaDescriptor::new);

  static final Codec<ReplicaDescriptor> REPLICA = new ReplicaCodec();

  private static final Codec<List<ReplicaDescriptor>> REPLICAS = Containers.list(REPLICA);

  static final Codec<StartedObject> STARTED_OBJECT_STRUCT =
      struct(
          u64(StartedObject::version),
          field(Containers.list(REPLICA_STRUCT), StartedObject::replicas),
          StartedObject::new);

  static final Codec<StartedObject> STARTED_OBJECT = new StartedObjectCodec();

  static final Codec<LocatedObject> LOCATED_OBJECT_STRUCT =
      struct(
          u64(LocatedObject::version),
          u64(LocatedObject::size),
          i64(LocatedObject::leaseMillis),
          field(CHECKSUM_STRUCT, LocatedObject::checksum),
          field(Containers.list(REPLICA_STRUCT), LocatedObject::replicas),
          LocatedObject::new);

  static final Codec<LocatedObject> LOCATED_OBJECT = new LocatedObjectCodec();

  private HotTypes() {}

  /** A codec that is the same on the wire as another. */
  private abstract static class SpelledOut<T> extends Codec<T> {
    private final Codec<T> struct;

    SpelledOut(Codec<T> struct) {
      super(struct.fixedBytes(), struct.minBytes(), struct.depth());
      this.struct = struct;
    }

    @Override
    public final void describe(ByteArrayOutputStream literal) {
      struct.describe(literal);
    }
  }

  private static final class ChecksumCodec extends SpelledOut<Checksum> {
    ChecksumCodec() {
      super(CHECKSUM_STRUCT);
    }

    @Override
    public void measure(Checksum value, Sizes sizes) {
      int blocks = value.blocks().length;
      sizes.add(9 + 4L * blocks);
      sizes.container(blocks);
    }

    @Override
    public void write(WireWriter out, Checksum value) {
      out.i8(value.kind().number());
      out.i64(value.value());
      int[] blocks = value.blocks();
      out.size(blocks.length);
      for (int block : blocks) {
        out.i32(block);
      }
    }

    @Override
    public Checksum read(WireReader in) {
      ChecksumKind kind = CHECKSUM_KIND.read(in);
      long value = in.i64();
      return new Checksum(kind, value, BLOCKS.read(in));
    }
  }

  private static final class ReplicaCodec extends SpelledOut<ReplicaDescriptor> {
    ReplicaCodec() {
      super(REPLICA_STRUCT);
    }

    @Override
    public void write(WireWriter out, ReplicaDescriptor value) {
      out.i64(value.id());
      out.i8(value.type().number());
      out.i8(value.status().number());
      out.i64(value.generation());
      out.i64(value.offset());
      out.i64(value.size());
    }

    @Override
    public ReplicaDescriptor read(WireReader in) {
      long id = in.i64();
      ReplicaType type = REPLICA_TYPE.read(in);
      ReplicaStatus status = REPLICA_STATUS.read(in);
      long generation = in.i64();
      long offset = in.i64();
      return new ReplicaDescriptor(id, type, status, generation, offset, in.i64());
    }
  }

  private static final class StartedObjectCodec extends SpelledOut<StartedObject> {
    StartedObjectCodec() {
      super(STARTED_OBJECT_STRUCT);
    }

    @Override
    public void measure(StartedObject value, Sizes sizes) {
      sizes.add(8);
      REPLICAS.measure(value.replicas(), sizes);
    }

    @Override
    public void write(WireWriter out, StartedObject value) {
      out.i64(value.version());
      REPLICAS.write(out, value.replicas());
    }

    @Override
    public StartedObject read(WireReader in) {
      long version = in.i64();
      return new StartedObject(version, REPLICAS.read(in));
    }
  }

  private static final class LocatedObjectCodec extends SpelledOut<LocatedObject> {
    LocatedObjectCodec() {
      super(LOCATED_OBJECT_STRUCT);
    }

    @Override
    public void measure(LocatedObject value, Sizes sizes) {
      sizes.add(24);
      CHECKSUM.measure(value.checksum(), sizes);
      REPLICAS.measure(value.replicas(), sizes);
    }

    @Override
    public void write(WireWriter out, LocatedObject value) {
      out.i64(value.version());
      out.i64(value.size());
      out.i64(value.leaseMillis());
      CHECKSUM.write(out, value.checksum());
      REPLICAS.write(out, value.replicas());
    }

    @Override
    public LocatedObject read(WireReader in) {
      long version = in.i64();
      long size = in.i64();
      long leaseMillis = in.i64();
      Checksum checksum = CHECKSUM.read(in);
      return new LocatedObject(version, size, leaseMillis, checksum, REPLICAS.read(in));
    }
  }
}
