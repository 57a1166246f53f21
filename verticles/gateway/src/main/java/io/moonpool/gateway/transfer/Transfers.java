package io.moonpool.gateway.transfer;

import io.moonpool.gateway.object.ObjectName;
import io.moonpool.protocol.call.DiskObject;
import io.moonpool.protocol.call.ReplicaTask;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The copies and moves that clients have under way, by client and object: of tasks that were handed
 * out, and of those that clients have started by themselves. One that is never ended is forgotten
 * some time after the master has given it up. Any loop.
 */
public final class Transfers {
  /** How much longer one is remembered than it can be ended. */
  private static final long SLACK_MILLIS = 60_000;

  /** With so many under way it is looked, now and then, whether some are over. */
  private static final int MANY = 1_024;

  /** Tasks are taken by the hundred: what is under way is not gone through for each of them. */
  private static final long LOOK_MILLIS = 1_000;

  /**
   * A copy or move.
   *
   * @param byMaster whether it is a task of the master
   * @param expiresMillis when it is forgotten
   */
  public record Transfer(ReplicaTask work, boolean byMaster, long expiresMillis) {}

  private record Id(UUID client, ObjectName object) {
    static Id of(UUID client, DiskObject object) {
      return new Id(client, ObjectName.of(object));
    }
  }

  private final Map<Id, Transfer> underWay = new ConcurrentHashMap<>();
  private final long keptMillis;
  private final LongSupplier clockMillis;
  private volatile long lookAgainMillis;

  /**
   * Nothing is under way.
   *
   * @param grantMillis how long a transfer can be ended after its start, at most
   * @param clockMillis monotonic
   */
  public Transfers(long grantMillis, LongSupplier clockMillis) {
    this.keptMillis = grantMillis + SLACK_MILLIS;
    this.clockMillis = clockMillis;
    this.lookAgainMillis = clockMillis.getAsLong();
  }

  /** A client has taken a task, or has started a transfer. */
  public void begin(UUID client, ReplicaTask work, boolean byMaster) {
    long nowMillis = clockMillis.getAsLong();
    if (underWay.size() >= MANY && nowMillis >= lookAgainMillis) {
      lookAgainMillis = nowMillis + LOOK_MILLIS;
      underWay.values().removeIf(transfer -> transfer.expiresMillis() < nowMillis);
    }
    underWay.put(
        Id.of(client, work.object()), new Transfer(work, byMaster, nowMillis + keptMillis));
  }

  /** What a client does with an object; null when nothing is known of it. */
  public @Nullable Transfer find(UUID client, String tenant, byte[] key) {
    return underWay.get(new Id(client, ObjectName.of(tenant, key)));
  }

  /** It has ended. */
  public void end(UUID client, Transfer transfer) {
    underWay.remove(Id.of(client, transfer.work().object()), transfer);
  }

  /** Whether a client has not ended the transfer of a task; which then ends here. */
  public boolean endTask(UUID client, UUID task) {
    return underWay
        .entrySet()
        .removeIf(
            each ->
                each.getKey().client().equals(client)
                    && each.getValue().byMaster()
                    && each.getValue().work().taskId().equals(task));
  }
}
