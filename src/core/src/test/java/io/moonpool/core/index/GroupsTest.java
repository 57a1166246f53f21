package io.moonpool.core.index;

import static io.moonpool.core.index.EvictionTier.SOFT_PINNED;
import static io.moonpool.core.index.EvictionTier.UNPINNED;
import static io.moonpool.core.index.TestPool.GRANT;
import static io.moonpool.core.index.TestPool.LEASE;
import static io.moonpool.core.index.TestPool.SIZE;
import static io.moonpool.core.index.TestPool.key;
import static io.moonpool.core.index.TestPool.terms;
import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.core.allocation.ExtentList;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.SoftPinAction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GroupsTest {
  private final TestPool pool = new TestPool();

  private ErrorCode remove(String key) {
    return pool.index.remove(key(key), false, pool.now);
  }

  private ErrorCode upsertStart(String key, @Nullable String group) {
    ExtentList extents = pool.extents(SIZE, 0);
    ErrorCode code =
        pool.index.upsertStart(key(key), SIZE, terms(), group, extents, pool.now, pool.started);
    if (code == ErrorCode.OK) {
      pool.hold(extents);
    }
    return code;
  }

  @Test
  void readOfAMemberNearItsLeaseEndLeasesAllMembers() {
    pool.putGrouped("a", "g");
    pool.putGrouped("b", "g");
    pool.put("c");
    pool.locate("a");
    assertThat(remove("b")).isEqualTo(ErrorCode.OBJECT_HAS_LEASE);
    assertThat(remove("c")).isEqualTo(ErrorCode.OK);
    pool.now += LEASE / 2 - 1;
    pool.locate("a");
    pool.now += LEASE / 2 + 1;
    assertThat(pool.describe("b").leaseRemainingMillis()).as("more than half was left").isZero();
    pool.locate("a");
    assertThat(pool.describe("b").leaseRemainingMillis()).isEqualTo(LEASE);
  }

  @Test
  void readAfterAMemberJoinedLeasesAllMembersAtOnce() {
    pool.putGrouped("a", "g");
    pool.locate("a");
    pool.now++;
    pool.putGrouped("b", "g");
    pool.putGrouped("c", "g");
    pool.locate("a");
    assertThat(pool.describe("b").leaseRemainingMillis()).isEqualTo(LEASE);
    assertThat(pool.describe("c").leaseRemainingMillis()).isEqualTo(LEASE);
    pool.now++;
    pool.locate("a");
    assertThat(pool.describe("b").leaseRemainingMillis()).isEqualTo(LEASE - 1);
  }

  @Test
  void groupGoesTogether() {
    for (int i = 0; i < 30; i++) {
      if (i % 10 == 0) {
        pool.putGrouped("k" + i, "g");
      } else {
        pool.put("k" + i);
      }
      pool.now++;
    }
    assertThat(pool.evict(UNPINNED, 1)).isEqualTo(3);
    for (int i = 0; i < 30; i++) {
      assertThat(pool.has("k" + i)).isEqualTo(i % 10 != 0);
    }
    assertThat(pool.index.groups()).isZero();
  }

  @Test
  void leasedMemberKeepsTheWholeGroupAndTheNextObjectGoes() {
    pool.putGrouped("a", "g");
    pool.locate("a");
    pool.now += LEASE;
    pool.putGrouped("b", "g");
    pool.locate("b");
    pool.putGrouped("late", "other");
    pool.put("next");
    // Only b is leased now: a lost its lease and was leased again with b.
    assertThat(pool.evict(UNPINNED, 1)).isEqualTo(1);
    assertThat(pool.has("late")).isFalse();
    assertThat(pool.evict(UNPINNED, 10)).isEqualTo(1);
    assertThat(pool.has("next")).isFalse();
    pool.now += LEASE;
    assertThat(pool.evict(UNPINNED, 1)).isEqualTo(2);
  }

  @Test
  void memberWhoseOwnLeaseIsLiveKeepsThePeersThatAreNotLeased() {
    pool.putGrouped("a", "g");
    pool.putGrouped("b", "g");
    pool.locate("a");
    pool.now += LEASE / 2 - 1;
    pool.locate("a");
    pool.now += LEASE / 2 + 1;
    assertThat(pool.describe("b").leaseRemainingMillis()).isZero();
    assertThat(pool.evict(UNPINNED, 10)).isZero();
    assertThat(pool.index.stats().groupsPutOff()).isEqualTo(1);
    assertThat(pool.evict(UNPINNED, 10)).isZero();
    assertThat(pool.index.stats().groupsPutOff()).as("not asked again").isEqualTo(1);
    pool.now += LEASE / 2;
    assertThat(pool.evict(UNPINNED, 10)).isEqualTo(2);
  }

  @Test
  void pinnedMembersStayAndTheirPeersGo() {
    pool.putGrouped("plain", "g");
    pool.putGrouped("hard", "g", TestPool.hardPin());
    pool.putGrouped("soft", "g", TestPool.softPin(SoftPinAction.ENABLE, 60_000));
    pool.index.putStart(
        key("unfinished"), SIZE, terms(), "g", pool.extents(SIZE, 0), pool.now, pool.started);
    assertThat(pool.evict(UNPINNED, 10)).isEqualTo(1);
    assertThat(pool.has("hard")).isTrue();
    assertThat(pool.has("soft")).isTrue();
    assertThat(pool.has("unfinished")).isTrue();
    assertThat(pool.evict(SOFT_PINNED, 10)).isEqualTo(1);
    assertThat(pool.has("hard")).isTrue();
  }

  @Test
  void removingAMemberLeavesTheOthersAndTheLastOneTheGroup() {
    pool.putGrouped("a", "g");
    pool.putGrouped("b", "g");
    assertThat(remove("a")).isEqualTo(ErrorCode.OK);
    assertThat(pool.describe("b").group()).isEqualTo("g");
    assertThat(pool.index.groups()).isEqualTo(1);
    pool.put("a");
    assertThat(pool.describe("a").group()).isEmpty();
    pool.locate("b");
    assertThat(remove("a")).isEqualTo(ErrorCode.OK);
    assertThat(pool.index.remove(key("b"), true, pool.now)).isEqualTo(ErrorCode.OK);
    assertThat(pool.index.groups()).isZero();
  }

  @Test
  void upsertKeepsTheGroupAndCannotChangeIt() {
    pool.putGrouped("k", "g");
    pool.put("plain");
    assertThat(upsertStart("k", "other")).isEqualTo(ErrorCode.INVALID_PARAMS);
    assertThat(upsertStart("k", "")).isEqualTo(ErrorCode.INVALID_PARAMS);
    assertThat(upsertStart("plain", "g")).isEqualTo(ErrorCode.INVALID_PARAMS);
    assertThat(upsertStart("plain", "")).isEqualTo(ErrorCode.OK);
    assertThat(upsertStart("k", "g")).isEqualTo(ErrorCode.OK);
    assertThat(upsertStart("k", null)).isEqualTo(ErrorCode.OK);
    pool.end(key("k"), pool.started.version());
    assertThat(pool.describe("k").group()).isEqualTo("g");
    pool.putGrouped("b", "g");
    pool.locate("k");
    assertThat(remove("b")).isEqualTo(ErrorCode.OBJECT_HAS_LEASE);
  }

  @Test
  void unfinishedGroupedPutCanBecomeUngrouped() {
    assertThat(upsertStart("k", "g")).isEqualTo(ErrorCode.OK);
    assertThat(pool.describe("k").group()).isEqualTo("g");
    assertThat(upsertStart("k", null)).isEqualTo(ErrorCode.OK);
    assertThat(pool.describe("k").group()).isEmpty();
    assertThat(pool.index.groups()).isZero();
  }

  @Test
  void overdueGroupedPutIsReplacedByAnUngroupedOne() {
    assertThat(upsertStart("k", "g")).isEqualTo(ErrorCode.OK);
    pool.now += GRANT + 1;
    pool.put("k");
    assertThat(pool.describe("k").group()).isEmpty();
  }

  @Test
  void memberThatIsOnlyAWriteAgainLeavesAndJoinsAtItsEnd() {
    pool.putGrouped("k", "g");
    assertThat(upsertStart("k", null)).isEqualTo(ErrorCode.OK);
    assertThat(pool.evict(UNPINNED, 1)).isEqualTo(1);
    assertThat(pool.index.groups()).isZero();
    pool.end(key("k"), pool.started.version());
    assertThat(pool.index.groups()).isEqualTo(1);
    assertThat(pool.describe("k").group()).isEqualTo("g");
  }

  @Test
  void groupsOfTwoTenantsAreTwo() {
    for (int tenant = 0; tenant < 2; tenant++) {
      ObjectKey key = key("k", tenant);
      ExtentList extents = pool.extents(SIZE, 0);
      pool.index.putStart(key, SIZE, terms(), "g", extents, pool.now, pool.started);
      pool.hold(extents);
      pool.end(key, pool.started.version());
    }
    pool.locate(key("k", 0));
    assertThat(pool.index.remove(key("k", 1), false, pool.now)).isEqualTo(ErrorCode.OK);
    assertThat(pool.index.groups()).isEqualTo(1);
  }

  @Test
  void largeGroupIsToldInSteps() {
    int members = 3 * Groups.MAIL_PER_CALL;
    for (int i = 0; i < members; i++) {
      pool.putGrouped("k" + i, "g");
    }
    pool.locate("k0");
    assertThat(leased(members)).isLessThan(members);
    int[] asked = {0};
    assertThat(pool.index.deliverMail(pool.now, () -> asked[0]++ < 10)).isFalse();
    assertThat(pool.index.deliverMail(pool.now, () -> true)).isTrue();
    assertThat(leased(members)).isEqualTo(members);
    pool.now += LEASE;
    assertThat(pool.evict(UNPINNED, 1)).isEqualTo(members);
  }

  private long leased(int members) {
    return IntStream.range(0, members)
        .filter(i -> pool.describe("k" + i).leaseRemainingMillis() > 0)
        .count();
  }
}
