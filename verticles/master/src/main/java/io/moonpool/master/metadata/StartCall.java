package io.moonpool.master.metadata;

import io.moonpool.core.allocation.AllocationResult;
import io.moonpool.core.allocation.Extent;
import io.moonpool.core.allocation.ExtentList;
import io.moonpool.core.index.ObjectIndex;
import io.moonpool.core.index.ObjectKey;
import io.moonpool.core.index.StartedWrite;
import io.moonpool.core.index.WriteTerms;
import io.moonpool.model.ClientProtocol;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.ReplicaStatus;
import io.moonpool.model.ReplicaType;
import io.moonpool.model.ReplicateConfig;
import io.moonpool.protocol.call.StartObjects;
import io.moonpool.protocol.call.StartedObject;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Starts puts or upserts: asks the index whether the write may start, finds space, and starts it,
 * all in one turn of the loop, so nothing can come in between.
 */
final class StartCall extends KeyedCall<StartedObject> {
  /** Which of the two. */
  enum Kind {
    PUT,
    UPSERT
  }

  private final Kind kind;
  private final ClientProtocol protocol;
  private final long[] sizes;
  private final WriteTerms terms;
  private final long[] avoided;
  private ReplicateConfig config;

  StartCall(
      Kind kind, int tenant, StartObjects request, WriteTerms terms, ClientProtocol protocol) {
    super(tenant, request.keys());
    this.kind = kind;
    this.protocol = protocol;
    this.sizes = request.sizes();
    this.terms = terms;
    this.avoided = request.avoided();
    this.config = request.config();
  }

  /** Tries these segments first from now on; for batches that want to stay in one place. */
  void prefer(List<String> segments) {
    config = config.withPreferredSegments(segments);
  }

  @Override
  boolean item(MetadataShards shards, int index, ObjectKey key, long nowMillis) {
    long size = sizes[index];
    ErrorCode code = check(shards.index(), index, key, size, nowMillis);
    if (code != ErrorCode.OK) {
      fail(index, code);
      return true;
    }
    AllocationResult space = shards.allocate(config, size, key.hash(), protocol, avoided);
    if (space != AllocationResult.ALLOCATED) {
      boolean mayCome =
          space == AllocationResult.BUSY
              || (space.evictionHelps() && shards.evictor().spaceNeeded());
      if (mayCome && shards.space().mayWait()) {
        return false;
      }
      fail(index, space.code());
      return true;
    }
    code = start(shards, index, key, size, nowMillis);
    if (code == ErrorCode.OK) {
      succeed(index, started(shards.extents(), shards.started(), size));
    } else {
      shards.giveBack();
      fail(index, code);
    }
    return true;
  }

  private ErrorCode check(ObjectIndex objects, int item, ObjectKey key, long size, long nowMillis) {
    return kind == Kind.PUT
        ? objects.checkPutStart(key, size, nowMillis)
        : objects.checkUpsertStart(key, size, group(item), nowMillis);
  }

  /** The group that an item asks for; null when the request names none. */
  private @Nullable String group(int item) {
    List<String> groups = config.groupIds();
    return groups.isEmpty() ? null : groups.get(item);
  }

  private ErrorCode start(
      MetadataShards shards, int item, ObjectKey key, long size, long nowMillis) {
    ObjectIndex objects = shards.index();
    ExtentList extents = shards.extents();
    WriteTerms held = terms.withGrant(shards.heldMillis(protocol));
    return kind == Kind.PUT
        ? objects.putStart(key, size, held, group(item), extents, nowMillis, shards.started())
        : objects.upsertStart(key, size, held, group(item), extents, nowMillis, shards.started());
  }

  private static StartedObject started(ExtentList extents, StartedWrite write, long size) {
    ReplicaDescriptor[] replicas = new ReplicaDescriptor[write.replicas()];
    for (int i = 0; i < replicas.length; i++) {
      replicas[i] =
          new ReplicaDescriptor(
              write.replicaId(i),
              ReplicaType.MEMORY,
              ReplicaStatus.PROCESSING,
              extents.generation(i),
              extents.offsetUnits(i) * Extent.UNIT,
              size);
    }
    return new StartedObject(write.version(), Arrays.asList(replicas));
  }
}
