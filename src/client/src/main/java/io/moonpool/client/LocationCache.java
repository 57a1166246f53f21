package io.moonpool.client;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Locations under a lease, by tenant and key, least recently used out first. A location may be used
 * until its lease ends: the master lets nobody reuse the bytes before that, so what is read there
 * is at most one lease time old.
 *
 * <p>A write of this client makes the key's location void, also one whose answer is still under
 * way: a reader takes a stamp before it asks, and its answer is kept only when no write of a key
 * with the same hash came in between. Runs on the client's loop.
 */
final class LocationCache {
  private record Name(String tenant, String key) {}

  private static final int STAMPS = 1 << 12;

  private final int capacity;
  private final Map<Name, Location> entries;
  private final long[] stamps;
  private long clears;

  /** A cache of that many entries; 0 for one that keeps nothing. */
  LocationCache(int capacity) {
    this.capacity = capacity;
    this.entries = new LinkedHashMap<>(16, 0.75f, true);
    this.stamps = new long[capacity == 0 ? 1 : STAMPS];
  }

  /** The location, when it is known and its lease runs. */
  @Nullable Location find(String tenant, String key, long nowNanos) {
    if (capacity == 0) {
      return null;
    }
    Name name = new Name(tenant, key);
    Location entry = entries.get(name);
    if (entry != null && entry.deadlineNanos() - nowNanos <= 0) {
      entries.remove(name);
      return null;
    }
    return entry;
  }

  /** What {@link #keep} wants to have been taken before the master was asked. */
  long stamp(String tenant, String key) {
    return stamps[slot(tenant, key)] + clears;
  }

  /** Keeps a location, unless a write came in between. */
  void keep(String tenant, String key, long stamp, Location entry) {
    if (capacity == 0 || stamp(tenant, key) != stamp) {
      return;
    }
    entries.put(new Name(tenant, key), entry);
    if (entries.size() > capacity) {
      var oldest = entries.entrySet().iterator();
      oldest.next();
      oldest.remove();
    }
  }

  /** Forgets a key; call it when a write of it starts and when it ends. */
  void forget(String tenant, String key) {
    if (capacity > 0) {
      stamps[slot(tenant, key)]++;
      entries.remove(new Name(tenant, key));
    }
  }

  /** Forgets everything. */
  void clear() {
    clears += 1L << 32;
    entries.clear();
  }

  private int slot(String tenant, String key) {
    return (31 * tenant.hashCode() + key.hashCode()) & (stamps.length - 1);
  }
}
