package io.moonpool.master.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class MountAdmissionTest {
  private static final BooleanSupplier WAITS = () -> false;
  private static final BooleanSupplier GONE = () -> true;

  private final MountAdmission admission = new MountAdmission(3);
  private final List<Promise<Integer>> begun = new ArrayList<>();
  private final List<Integer> order = new ArrayList<>();

  private Future<Integer> mount(int number, BooleanSupplier callerGone) {
    return admission.admit(
        callerGone,
        () -> {
          Promise<Integer> mount = Promise.promise();
          begun.add(mount);
          order.add(number);
          return mount.future();
        },
        () -> Future.failedFuture("gone " + number));
  }

  @Test
  void aFewAtATimeInTheirOrderHoweverManyWait() {
    List<Future<Integer>> mounts = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      mounts.add(mount(i, WAITS));
    }
    assertThat(admission.running()).isEqualTo(3);
    assertThat(admission.waiting()).isEqualTo(997);
    for (int i = 0; i < 1_000; i++) {
      assertThat(begun).hasSize(Math.min(1_000, i + 3));
      begun.get(i).complete(i);
      assertThat(mounts.get(i).result()).isEqualTo(i);
    }
    assertThat(order).isSorted().hasSize(1_000);
    assertThat(admission.running()).isZero();
    assertThat(admission.waiting()).isZero();
  }

  @Test
  void oneThatFailsOrThrowsMakesRoomToo() {
    Future<Integer> thrown =
        admission.admit(
            WAITS,
            () -> {
              throw new IllegalStateException("a bug");
            },
            () -> Future.failedFuture("gone"));
    assertThat(thrown.cause()).hasMessage("a bug");
    for (int i = 0; i < 4; i++) {
      mount(i, WAITS);
    }
    begun.getFirst().fail("no");
    assertThat(order).containsExactly(0, 1, 2, 3);
    assertThat(admission.running()).isEqualTo(3);
  }

  @Test
  void whoseCallerWentAwayIsPassedOverWhenItsTurnComes() {
    for (int i = 0; i < 3; i++) {
      mount(i, WAITS);
    }
    Future<Integer> gone = mount(3, GONE);
    mount(4, WAITS);
    assertThat(gone.isComplete()).isFalse();
    begun.getFirst().complete(0);
    assertThat(gone.cause()).hasMessage("gone 3");
    assertThat(order).containsExactly(0, 1, 2, 4);
  }

  @Test
  void manyThatAreAllPassedOverDoNotDeepenTheStack() {
    for (int i = 0; i < 3; i++) {
      mount(i, WAITS);
    }
    List<Future<Integer>> gone = new ArrayList<>();
    for (int i = 3; i < 50_000; i++) {
      gone.add(mount(i, GONE));
    }
    begun.getFirst().complete(0);
    assertThat(gone).allMatch(Future::failed);
  }
}
