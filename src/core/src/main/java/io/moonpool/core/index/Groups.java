package io.moonpool.core.index;

import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Groups of objects that are leased and evicted together.
 *
 * <p>Members are in the shards of their keys, so they and their group talk by {@link ShardMail}. An
 * object joins its group when its first write completes and leaves it when it is gone.
 *
 * <ul>
 *   <li><b>Lease.</b> A read of a member leases all members when half of the member's lease or less
 *       was left, or when the group has a member that joined since the last time; otherwise only
 *       the member that was read.
 *   <li><b>Eviction.</b> A member that comes up for eviction asks its group, which probes the
 *       leases of all members. When one is live, all are put off until the longest ends; otherwise
 *       each is told to go, and goes unless something of its own stands against it: a pin, a task,
 *       or a lease that a read granted meanwhile.
 * </ul>
 *
 * <p>Mail of this loop waits in a queue, of which each call delivers a bounded part; a group tells
 * a bounded number of members a step. So a call's cost does not depend on how large a group is, and
 * everything is done before the call returns while groups are small.
 */
final class Groups {
  /** Mail that a call delivers beyond its own work. */
  static final int MAIL_PER_CALL = 512;

  private static final int MEMBERS_PER_STEP = 64;

  private final IndexCore core;
  private final Long2ObjectOpenHashMap<Group> byHash = new Long2ObjectOpenHashMap<>();
  private final Queue<ShardMail> local = new ArrayDeque<>();
  private int groups;
  private long lastEviction;

  Groups(IndexCore core) {
    this.core = core;
  }

  /** How many groups have members and are kept by this loop. */
  int count() {
    return groups;
  }

  // Members

  /** An object's first write is complete: it becomes a member. */
  void join(int row) {
    Membership membership = core.memberships.get(row);
    if (membership != null && membership.memberId == Membership.NOT_JOINED) {
      Shard shard = core.shardOf(row);
      membership.memberId = shard.nextVersion();
      membership.refresh = true;
      post(
          new ShardMail.Join(
              membership.group, new ShardMail.Member(shard.number, row, membership.memberId)));
    }
  }

  /** An object has no completed write any more. */
  void leave(int row) {
    Membership membership = core.memberships.get(row);
    if (membership != null && membership.memberId != Membership.NOT_JOINED) {
      post(new ShardMail.Leave(membership.group, membership.memberId));
      membership.memberId = Membership.NOT_JOINED;
    }
  }

  /**
   * A member was read.
   *
   * @param leftMillis how long it was leased before
   */
  void read(int row, long leftMillis) {
    Membership membership = core.memberships.get(row);
    if (membership != null
        && (membership.refresh || leftMillis <= core.config.leaseTtlMillis() / 2)) {
      membership.refresh = false;
      post(new ShardMail.LeaseGroup(membership.group, core.objects.protectionEnd(row)));
    }
  }

  /** A member came up for eviction. */
  void askEviction(int row, EvictionTier tier) {
    Membership membership = core.memberships.get(row);
    if (membership != null) {
      post(new ShardMail.EvictGroup(membership.group, tier));
    }
  }

  // Mail

  private void post(ShardMail mail) {
    if (core.owns(mail.shard())) {
      local.add(mail);
    } else {
      core.effects.send(mail);
    }
  }

  /** Delivers mail that waits in this loop. Answers whether none is left. */
  boolean deliver(BooleanSupplier mayContinue) {
    while (!local.isEmpty()) {
      if (!mayContinue.getAsBoolean()) {
        return false;
      }
      accept(local.remove());
    }
    return true;
  }

  /** Delivers the part of the waiting mail that every call delivers. */
  void deliverSome() {
    for (int i = 0; i < MAIL_PER_CALL && !local.isEmpty(); i++) {
      accept(local.remove());
    }
  }

  void accept(ShardMail mail) {
    switch (mail) {
      case ShardMail.Join join -> joined(join);
      case ShardMail.Leave leave -> left(leave);
      case ShardMail.LeaseGroup lease -> lease(lease);
      case ShardMail.EvictGroup evict -> evict(evict);
      case ShardMail.Probed probed -> probed(probed);
      case ShardMail.GoOn goOn -> {
        Group group = find(goOn.group());
        if (group != null) {
          tell(group);
        }
      }
      case ShardMail.Refresh refresh -> {
        Membership membership = membership(refresh.member());
        if (membership != null) {
          membership.refresh = true;
        }
      }
      case ShardMail.LeaseMember lease -> {
        Membership membership = membership(lease.member());
        if (membership != null) {
          membership.refresh = false;
          core.extendLease(lease.member().row(), lease.endMillis());
        }
      }
      case ShardMail.Probe probe -> {
        long end = 0;
        if (membership(probe.member()) != null) {
          end = core.objects.protectionEnd(probe.member().row());
        }
        post(new ShardMail.Probed(probe.group(), probe.eviction(), end));
      }
      case ShardMail.EvictMember evict -> {
        if (membership(evict.member()) != null) {
          core.evictions.evictMember(evict.member().row(), evict.tier());
        }
      }
      case ShardMail.PutOff putOff -> {
        if (membership(putOff.member()) != null) {
          core.orders.putOff(putOff.member().row(), putOff.untilMillis());
        }
      }
    }
  }

  /** What its shard knows of a member; null when it is not that member any more. */
  private @Nullable Membership membership(ShardMail.Member member) {
    Membership membership = core.memberships.get(member.row());
    return membership != null && membership.memberId == member.id() ? membership : null;
  }

  // Groups

  private @Nullable Group find(GroupId id) {
    Group group = byHash.get(id.hash());
    while (group != null && !group.id.equals(id)) {
      group = group.next;
    }
    return group;
  }

  private void joined(ShardMail.Join join) {
    Group group = find(join.group());
    if (group == null) {
      group = new Group(join.group());
      group.next = byHash.put(join.group().hash(), group);
      groups++;
    }
    // The new member knows already. The others are told once, until a read leases them all.
    group.refreshToTell |= !group.refreshing;
    tell(group);
    group.add(join.member());
  }

  private void left(ShardMail.Leave leave) {
    Group group = find(leave.group());
    if (group == null) {
      return;
    }
    group.remove(leave.memberId());
    if (group.size() == 0) {
      drop(group);
    }
  }

  private void drop(Group group) {
    long hash = group.id.hash();
    Group at = byHash.get(hash);
    if (at == group) {
      if (group.next == null) {
        byHash.remove(hash);
      } else {
        byHash.put(hash, group.next);
      }
    }
    while (at != null) {
      if (at.next == group) {
        at.next = group.next;
      }
      at = at.next;
    }
    groups--;
  }

  private void lease(ShardMail.LeaseGroup lease) {
    Group group = find(lease.group());
    if (group != null) {
      group.leaseToTell = Math.max(group.leaseToTell, lease.endMillis());
      group.longestLease = Math.max(group.longestLease, lease.endMillis());
      tell(group);
    }
  }

  private void evict(ShardMail.EvictGroup evict) {
    Group group = find(evict.group());
    if (group != null && group.eviction == Group.Eviction.NONE) {
      group.eviction = Group.Eviction.ASKED;
      group.tier = evict.tier();
      group.longestLease = 0;
      tell(group);
    }
  }

  private void probed(ShardMail.Probed probed) {
    Group group = find(probed.group());
    if (group != null
        && group.eviction == Group.Eviction.PROBING
        && group.evictionNumber == probed.eviction()) {
      group.answersAwaited--;
      group.longestLease = Math.max(group.longestLease, probed.leaseEndMillis());
      tell(group);
    }
  }

  /** Tells members what there is to tell, a step's worth; the rest goes on by mail. */
  private void tell(Group group) {
    int members = MEMBERS_PER_STEP;
    while (group.untold > 0 || choose(group)) {
      while (group.untold > 0) {
        if (members-- == 0) {
          post(new ShardMail.GoOn(group.id));
          return;
        }
        tell(group, group.member(--group.untold));
      }
    }
  }

  private void tell(Group group, ShardMail.Member member) {
    switch (group.telling) {
      case LEASE -> post(new ShardMail.LeaseMember(member, group.toldMillis));
      case REFRESH -> post(new ShardMail.Refresh(member));
      case PROBE -> {
        group.answersAwaited++;
        post(new ShardMail.Probe(member, group.id, group.evictionNumber));
      }
      case EVICT -> post(new ShardMail.EvictMember(member, group.tier));
      case PUT_OFF -> post(new ShardMail.PutOff(member, group.toldMillis));
      case NOTHING -> throw new IllegalStateException("nothing to tell " + member);
    }
  }

  /**
   * Chooses what to tell next, when all members know the last. Answers whether there is anything.
   */
  private boolean choose(Group group) {
    if (group.eviction == Group.Eviction.DECIDED
        && (group.telling == Group.Telling.EVICT || group.telling == Group.Telling.PUT_OFF)) {
      group.eviction = Group.Eviction.NONE;
    }
    if (group.leaseToTell > 0) {
      group.telling = Group.Telling.LEASE;
      group.toldMillis = group.leaseToTell;
      group.leaseToTell = 0;
      group.refreshing = false;
      group.refreshToTell = false;
    } else if (group.refreshToTell) {
      group.telling = Group.Telling.REFRESH;
      group.refreshing = true;
      group.refreshToTell = false;
    } else if (group.eviction == Group.Eviction.ASKED) {
      group.telling = Group.Telling.PROBE;
      group.eviction = Group.Eviction.PROBING;
      group.evictionNumber = ++lastEviction;
      group.answersAwaited = 0;
    } else if (group.eviction == Group.Eviction.PROBING && group.answersAwaited == 0) {
      boolean leased = group.longestLease > core.now();
      core.stats.groupsPutOff += leased ? 1 : 0;
      group.telling = leased ? Group.Telling.PUT_OFF : Group.Telling.EVICT;
      group.toldMillis = group.longestLease;
      group.eviction = Group.Eviction.DECIDED;
    } else {
      group.telling = Group.Telling.NOTHING;
      return false;
    }
    group.untold = group.size();
    return true;
  }
}
