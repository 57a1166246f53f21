package io.moonpool.protocol.call;

import static io.moonpool.protocol.wire.Structs.field;
import static io.moonpool.protocol.wire.Structs.i64;
import static io.moonpool.protocol.wire.Structs.struct;
import static io.moonpool.protocol.wire.Structs.text;
import static io.moonpool.protocol.wire.Structs.u64;

import io.moonpool.protocol.wire.Choices;
import io.moonpool.protocol.wire.Containers;
import io.moonpool.protocol.wire.Message;
import io.moonpool.protocol.wire.Scalars;
import java.util.List;

/** The table of the calls between a client and a node. */
public final class NodeCalls {
  /** What precedes the name of a call where its function id is made. */
  private static final String PREFIX = "moonpool::Node::";

  /** Reads objects from disk into memory that the caller can fetch them from. */
  public static final Call<StageObjects, StagedObjects> STAGE =
      Call.of(
          PREFIX + "Stage",
          Message.of(
              struct(
                  text(StageObjects::tenant),
                  field(Containers.KEYS, StageObjects::keys),
                  field(Containers.longs(Scalars.U64), StageObjects::versions),
                  i64(StageObjects::offset),
                  i64(StageObjects::length),
                  StageObjects::new)),
          Answer.orError(
              struct(
                  u64(StagedObjects::batchId),
                  i64(StagedObjects::leaseMillis),
                  field(Types.SEGMENT_INFO, StagedObjects::memory),
                  field(Containers.list(Choices.outcome(Scalars.U64)), StagedObjects::offsets),
                  StagedObjects::new)));

  /** Gives staged memory back. */
  public static final Call<ReleaseStaged, Void> RELEASE =
      Call.of(
          PREFIX + "Release",
          Message.of(struct(u64(ReleaseStaged::batchId), ReleaseStaged::new)),
          Answer.orError(Scalars.UNIT));

  /** Every call, in the order of this table. */
  public static final List<Call<?, ?>> ALL = List.of(STAGE, RELEASE);

  private NodeCalls() {}
}
