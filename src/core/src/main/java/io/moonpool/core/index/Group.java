package io.moonpool.core.index;

import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The members of a group, and what it is telling them.
 *
 * <p>A group tells all members one thing at a time, from the last to the first. A member that
 * leaves is replaced by the last one, which was told already, so nobody is left out; who joins
 * meanwhile does not need to be told.
 */
final class Group {
  /** What is being told. */
  enum Telling {
    NOTHING,
    LEASE,
    REFRESH,
    PROBE,
    EVICT,
    PUT_OFF
  }

  /** How far an eviction is. */
  enum Eviction {
    NONE,
    /** A member asked for it. */
    ASKED,
    /** Members are asked how long they are leased. */
    PROBING,
    /** Members are told to go, or until when to stay. */
    DECIDED
  }

  final GroupId id;

  /** The next group with the same hash. */
  @Nullable Group next;

  Telling telling = Telling.NOTHING;

  /** How many members are not told yet. */
  int untold;

  /** The time that is told, in milliseconds. */
  long toldMillis;

  /** A lease that is still to be told, or 0. */
  long leaseToTell;

  /** That the next read leases the whole group is still to be told. */
  boolean refreshToTell;

  /** All members know, or are being told, that the next read leases the whole group. */
  boolean refreshing;

  Eviction eviction = Eviction.NONE;
  long evictionNumber;
  EvictionTier tier = EvictionTier.UNPINNED;
  int answersAwaited;
  long longestLease;

  private int[] shards = new int[4];
  private int[] rows = new int[4];
  private long[] ids = new long[4];
  private final Long2IntOpenHashMap places = new Long2IntOpenHashMap(4);
  private int size;

  Group(GroupId id) {
    this.id = id;
    places.defaultReturnValue(-1);
  }

  int size() {
    return size;
  }

  void add(ShardMail.Member member) {
    if (size == ids.length) {
      shards = Arrays.copyOf(shards, size * 2);
      rows = Arrays.copyOf(rows, size * 2);
      ids = Arrays.copyOf(ids, size * 2);
    }
    shards[size] = member.shard();
    rows[size] = member.row();
    ids[size] = member.id();
    places.put(member.id(), size++);
  }

  void remove(long memberId) {
    int at = places.remove(memberId);
    if (at < 0) {
      return;
    }
    size--;
    shards[at] = shards[size];
    rows[at] = rows[size];
    ids[at] = ids[size];
    if (at != size) {
      places.put(ids[at], at);
    }
    untold = Math.min(untold, size);
  }

  ShardMail.Member member(int at) {
    return new ShardMail.Member(shards[at], rows[at], ids[at]);
  }
}
