package io.moonpool.gateway.disk;

import io.moonpool.gateway.object.ObjectName;
import io.moonpool.protocol.call.OffloadTask;
import io.moonpool.protocol.call.PromotionTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The disk of a client in one mount. Its calls name objects; what the master must be told besides,
 * versions and replicas, is remembered here from when it was asked until it answers. Any loop.
 */
public final class MooncakeDisk {
  private final UUID segment;
  private final long generation;
  private final Map<ObjectName, OffloadTask> offloads = new ConcurrentHashMap<>();
  private final Map<ObjectName, PromotionTask> promotions = new ConcurrentHashMap<>();

  /** Work of one kind that came with work of the other kind that was asked for. */
  private final Queue<OffloadTask> offloadsToTell = new ConcurrentLinkedQueue<>();

  /** A disk that was mounted just now. */
  public MooncakeDisk(UUID segment, long generation) {
    this.segment = segment;
    this.generation = generation;
  }

  /** The id of its segment. */
  public UUID segment() {
    return segment;
  }

  /** Of its mount. */
  public long generation() {
    return generation;
  }

  /** The master wants objects written to disk. */
  public void wanted(List<OffloadTask> tasks) {
    for (OffloadTask task : tasks) {
      offloads.put(ObjectName.of(task.object()), task);
      offloadsToTell.add(task);
    }
  }

  /** What the client has not been told yet. */
  public List<OffloadTask> takeOffloads() {
    List<OffloadTask> taken = new ArrayList<>();
    for (OffloadTask task = offloadsToTell.poll(); task != null; task = offloadsToTell.poll()) {
      taken.add(task);
    }
    return taken;
  }

  /** The client has answered an offload: what it was; null when none was asked for. */
  public @Nullable OffloadTask offloaded(String tenant, byte[] key) {
    return offloads.remove(ObjectName.of(tenant, key));
  }

  /** The client was told to bring an object back. */
  public void promoting(PromotionTask task) {
    promotions.put(ObjectName.of(task.object()), task);
  }

  /** A promotion that the client was told of and has not answered; null when there is none. */
  public @Nullable PromotionTask promotion(String tenant, byte[] key) {
    return promotions.get(ObjectName.of(tenant, key));
  }

  /** The client has answered a promotion. */
  public @Nullable PromotionTask promoted(String tenant, byte[] key) {
    return promotions.remove(ObjectName.of(tenant, key));
  }
}
