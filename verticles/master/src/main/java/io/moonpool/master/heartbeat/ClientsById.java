package io.moonpool.master.heartbeat;

import io.moonpool.protocol.heartbeat.PingStatus;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The clients that ping by their id, as those of Mooncake do: Moonpool's own pings name their
 * liveness slot.
 *
 * <p>An array that is sorted by id and never changes once it is published: a ping is one volatile
 * read and a binary search, which takes no lock, allocates nothing, and whose length nobody can
 * choose by choosing ids. Who writes copies the array; that costs by the number of clients, and
 * happens when one registers or goes.
 *
 * <p>Any thread may do anything.
 */
public final class ClientsById {
  private static final VarHandle CURRENT;

  static {
    try {
      CURRENT =
          MethodHandles.lookup().findVarHandle(ClientsById.class, "current", KnownClient[].class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile KnownClient[] current = new KnownClient[0];

  /** Knows nobody. */
  public ClientsById() {}

  /**
   * Records a ping and tells what to answer.
   *
   * @param recorder writes the client's slot
   * @return OK, or NEED_REMOUNT for a client that is not known or has not mounted again yet. The
   *     end of a suspicion is OK: the protocol has no word for it
   */
  public PingStatus ping(PingRecorder recorder, long idMost, long idLeast) {
    // Volatile read: pairs with the write in replace(), so the clients of the array are whole.
    KnownClient client = find(current, idMost, idLeast);
    if (client == null) {
      return PingStatus.NEED_REMOUNT;
    }
    PingStatus status = recorder.record(client.slot, client.incarnation);
    return status != PingStatus.NEED_REMOUNT && client.isReady()
        ? PingStatus.OK
        : PingStatus.NEED_REMOUNT;
  }

  private static @Nullable KnownClient find(KnownClient[] sorted, long idMost, long idLeast) {
    int at = position(sorted, idMost, idLeast);
    return at < sorted.length && sorted[at].compareId(idMost, idLeast) == 0 ? sorted[at] : null;
  }

  /** Where the id is, or would be. */
  private static int position(KnownClient[] sorted, long idMost, long idLeast) {
    int from = 0;
    int to = sorted.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (sorted[middle].compareId(idMost, idLeast) < 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  /** Makes a client known, in place of an earlier one of its id. */
  public void put(KnownClient client) {
    KnownClient[] before;
    KnownClient[] after;
    do {
      before = current;
      int at = position(before, client.idMost, client.idLeast);
      boolean replaces =
          at < before.length && before[at].compareId(client.idMost, client.idLeast) == 0;
      int rest = replaces ? at + 1 : at;
      after = new KnownClient[before.length + (replaces ? 0 : 1)];
      System.arraycopy(before, 0, after, 0, at);
      after[at] = client;
      System.arraycopy(before, rest, after, at + 1, before.length - rest);
    } while (!replace(before, after));
  }

  /** Forgets a client; does nothing when another of its id has taken its place. */
  @SuppressWarnings("ReferenceEquality") // that very incarnation
  public void remove(KnownClient client) {
    KnownClient[] before;
    KnownClient[] after;
    do {
      before = current;
      int at = position(before, client.idMost, client.idLeast);
      if (at == before.length || before[at] != client) {
        return;
      }
      after = new KnownClient[before.length - 1];
      System.arraycopy(before, 0, after, 0, at);
      System.arraycopy(before, at + 1, after, at, after.length - at);
    } while (!replace(before, after));
  }

  /** Publishes, unless somebody else did meanwhile. Only who writes tries again, never a ping. */
  private boolean replace(KnownClient[] before, KnownClient[] after) {
    return CURRENT.compareAndSet(this, before, after);
  }
}
