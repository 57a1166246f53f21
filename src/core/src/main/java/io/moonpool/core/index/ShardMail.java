package io.moonpool.core.index;

/**
 * What one shard tells another, since the members of a group are in the shards of their keys and
 * the group itself is in a shard of its own. Mail between shards of one loop is delivered inside
 * the index; mail for a shard of another loop goes to {@link IndexEffects#send}, and that loop
 * passes it to {@link ObjectIndex#accept}. Mail between two loops must arrive once and in the order
 * in which it was sent.
 *
 * <p>Immutable: any thread may carry it.
 */
public sealed interface ShardMail {
  /** The shard that it is for. */
  int shard();

  /**
   * A member of a group, as its group knows it.
   *
   * @param shard the shard of its key
   * @param row its row there
   * @param id unique; the row means this member only while it has the same id
   */
  record Member(int shard, int row, long id) {}

  /** To a group: an object became its member. */
  record Join(GroupId group, Member member) implements ShardMail {
    @Override
    public int shard() {
      return group.shard();
    }
  }

  /** To a group: a member is gone. */
  record Leave(GroupId group, long memberId) implements ShardMail {
    @Override
    public int shard() {
      return group.shard();
    }
  }

  /** To a group: a member was leased until then, and all others shall be. */
  record LeaseGroup(GroupId group, long endMillis) implements ShardMail {
    @Override
    public int shard() {
      return group.shard();
    }
  }

  /** To a group: evict all of it if no member is leased. */
  record EvictGroup(GroupId group, EvictionTier tier) implements ShardMail {
    @Override
    public int shard() {
      return group.shard();
    }
  }

  /** To a group: how long a member is leased, for the eviction of that number. */
  record Probed(GroupId group, long eviction, long leaseEndMillis) implements ShardMail {
    @Override
    public int shard() {
      return group.shard();
    }
  }

  /** To a group, from itself: go on with what it is telling its members. */
  record GoOn(GroupId group) implements ShardMail {
    @Override
    public int shard() {
      return group.shard();
    }
  }

  /** To a member: the group has a new member; the next read shall lease the whole group. */
  record Refresh(Member member) implements ShardMail {
    @Override
    public int shard() {
      return member.shard();
    }
  }

  /** To a member: it is leased until then, as another member is. */
  record LeaseMember(Member member, long endMillis) implements ShardMail {
    @Override
    public int shard() {
      return member.shard();
    }
  }

  /** To a member: how long is it leased? */
  record Probe(Member member, GroupId group, long eviction) implements ShardMail {
    @Override
    public int shard() {
      return member.shard();
    }
  }

  /** To a member: no member of its group is leased, and it is to be evicted. */
  record EvictMember(Member member, EvictionTier tier) implements ShardMail {
    @Override
    public int shard() {
      return member.shard();
    }
  }

  /** To a member: its group is leased until then; do not ask before. */
  record PutOff(Member member, long untilMillis) implements ShardMail {
    @Override
    public int shard() {
      return member.shard();
    }
  }
}
