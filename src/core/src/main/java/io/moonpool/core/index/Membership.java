package io.moonpool.core.index;

/** What a grouped object's shard knows of its membership. */
final class Membership {
  /** Not a member yet, or no more: the object has no completed write. */
  static final long NOT_JOINED = 0;

  final GroupId group;

  /** The id under which the group knows the object. */
  long memberId = NOT_JOINED;

  /** The next read leases the whole group, however long the lease still is. */
  boolean refresh;

  Membership(GroupId group) {
    this.group = group;
  }
}
