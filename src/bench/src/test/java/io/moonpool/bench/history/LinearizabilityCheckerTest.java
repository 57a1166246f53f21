package io.moonpool.bench.history;

import static io.moonpool.bench.history.LinearizabilityChecker.firstUnexplained;
import static io.moonpool.bench.history.Operation.ABSENT;
import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.bench.history.Operation.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LinearizabilityCheckerTest {
  private static Operation done(Kind kind, long value, long call, long end) {
    return new Operation(0, kind, value, call, end, true);
  }

  private static Operation unknown(Kind kind, long value, long call) {
    return new Operation(0, kind, value, call, 0, false);
  }

  @Test
  void emptyHistoryIsLinearizable() {
    assertThat(firstUnexplained(List.of())).isEmpty();
  }

  @Test
  void readAfterWriteMustSeeIt() {
    Operation stale = done(Kind.READ, 1, 40, 50);
    List<Operation> history =
        List.of(done(Kind.WRITE, 1, 0, 10), done(Kind.WRITE, 2, 20, 30), stale);
    assertThat(firstUnexplained(history)).contains(stale);
  }

  @Test
  void readDuringWriteMaySeeEither() {
    for (long seen : new long[] {1, 2}) {
      assertThat(
              firstUnexplained(
                  List.of(
                      done(Kind.WRITE, 1, 0, 10),
                      done(Kind.WRITE, 2, 20, 40),
                      done(Kind.READ, seen, 25, 35))))
          .isEmpty();
    }
  }

  @Test
  void twoReadsDuringWriteMayNotGoBack() {
    assertThat(
            firstUnexplained(
                List.of(
                    done(Kind.WRITE, 1, 0, 10),
                    done(Kind.WRITE, 2, 20, 60),
                    done(Kind.READ, 2, 25, 30),
                    done(Kind.READ, 1, 35, 40))))
        .isPresent();
  }

  @Test
  void removedObjectsDoNotReturn() {
    assertThat(
            firstUnexplained(
                List.of(
                    done(Kind.CREATE, 1, 0, 10),
                    done(Kind.REMOVE, ABSENT, 20, 30),
                    done(Kind.READ, 1, 40, 50))))
        .isPresent();
  }

  @Test
  void createNeedsAbsence() {
    assertThat(firstUnexplained(List.of(done(Kind.CREATE, 1, 0, 10), done(Kind.CREATE, 2, 20, 30))))
        .isPresent();
    assertThat(
            firstUnexplained(
                List.of(
                    done(Kind.CREATE, 1, 0, 10),
                    done(Kind.REMOVE, ABSENT, 12, 25),
                    done(Kind.CREATE, 2, 20, 30))))
        .isEmpty();
  }

  @Test
  void valuesNobodyWroteAreCaught() {
    assertThat(firstUnexplained(List.of(done(Kind.READ, 9, 0, 1)))).isPresent();
  }

  @Test
  void unknownWriteMayHappenLateOrNever() {
    Operation lost = unknown(Kind.WRITE, 2, 20);
    List<Operation> before = List.of(done(Kind.WRITE, 1, 0, 10), lost);
    List<Operation> never = new ArrayList<>(before);
    never.add(done(Kind.READ, 1, 100, 110));
    assertThat(firstUnexplained(never)).isEmpty();
    List<Operation> late = new ArrayList<>(never);
    late.add(done(Kind.READ, 2, 200, 210));
    assertThat(firstUnexplained(late)).isEmpty();
    late.add(done(Kind.READ, 1, 300, 310));
    assertThat(firstUnexplained(late)).isPresent();
  }

  @Test
  void unknownRemovalExplainsAbsence() {
    assertThat(
            firstUnexplained(
                List.of(
                    done(Kind.WRITE, 1, 0, 10),
                    unknown(Kind.REMOVE, ABSENT, 20),
                    done(Kind.READ, ABSENT, 30, 40),
                    done(Kind.CREATE, 2, 50, 60))))
        .isEmpty();
  }

  @Test
  void unknownOperationsCannotHappenBeforeTheirCall() {
    assertThat(firstUnexplained(List.of(done(Kind.READ, 5, 0, 10), unknown(Kind.WRITE, 5, 20))))
        .isPresent();
  }

  /** Histories made from a real variable are accepted; the same with one old value read are not. */
  @Test
  @org.junit.jupiter.api.Timeout(60)
  void randomHistoriesAreJudgedRightly() {
    for (int seed = 0; seed < 6; seed++) {
      Random random = new Random(seed);
      List<Operation> history = simulate(random, 8, 2_000);
      assertThat(firstUnexplained(history)).as("seed " + seed).isEmpty();
      assertThat(firstUnexplained(withStaleRead(history))).as("stale, seed " + seed).isPresent();
    }
  }

  /** Clients whose operations take effect at a random instant between call and return. */
  private static List<Operation> simulate(Random random, int clients, int count) {
    record Planned(int client, int what, long call, long effect, long end) {}
    List<Planned> planned = new ArrayList<>();
    for (int client = 0; client < clients; client++) {
      long now = random.nextInt(100);
      for (int i = 0; i < count / clients; i++) {
        long call = now + random.nextInt(50);
        long effect = call + 1 + random.nextInt(60);
        long end = effect + 1 + random.nextInt(60);
        planned.add(new Planned(client, random.nextInt(100), call, effect, end));
        now = end + 1;
      }
    }
    planned.sort((a, b) -> Long.compare(a.effect, b.effect));
    List<Operation> history = new ArrayList<>();
    long value = ABSENT;
    long nextValue = 1;
    for (Planned p : planned) {
      boolean known = p.what % 50 != 0;
      if (p.what < 40) {
        value = nextValue++;
        history.add(new Operation(p.client, Kind.WRITE, value, p.call, p.end, known));
      } else if (p.what < 50) {
        Kind kind = value == ABSENT ? Kind.REMOVE_MISSED : Kind.REMOVE;
        history.add(new Operation(p.client, kind, ABSENT, p.call, p.end, true));
        value = ABSENT;
      } else if (p.what < 60 && value == ABSENT) {
        value = nextValue++;
        history.add(new Operation(p.client, Kind.CREATE, value, p.call, p.end, true));
      } else {
        history.add(new Operation(p.client, Kind.READ, value, p.call, p.end, true));
      }
    }
    // Unknown operations that never happened.
    for (int i = 0; i < 20; i++) {
      long call = random.nextInt(10_000);
      history.add(new Operation(99, Kind.WRITE, 1_000_000 + i, call, 0, false));
    }
    return history;
  }

  /** Adds a read, after everything else, of a value that a later known write had replaced. */
  private static List<Operation> withStaleRead(List<Operation> history) {
    long[] writes =
        history.stream()
            .filter(o -> o.kind() == Kind.WRITE && o.known())
            .mapToLong(Operation::value)
            .toArray();
    Arrays.sort(writes);
    long end =
        history.stream().filter(Operation::known).mapToLong(Operation::returnNanos).max().orElse(0);
    List<Operation> stale = new ArrayList<>(history);
    stale.add(done(Kind.READ, writes[writes.length / 2], end + 10, end + 20));
    return stale;
  }
}
