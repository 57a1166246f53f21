package io.moonpool.app.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.EvaluationResult;
import io.moonpool.client.planted.SeesTheIndex;
import io.moonpool.core.planted.AsksTheCalendar;
import io.moonpool.core.planted.AsksTheClock;
import io.moonpool.core.planted.DependsOnVertx;
import io.moonpool.core.planted.RollsDice;
import io.moonpool.core.planted.StartsAThread;
import io.moonpool.master.api.planted.BorrowsTheHeartbeatLoop;
import io.moonpool.master.api.planted.TakesAProtectionAway;
import io.moonpool.master.heartbeat.planted.AsksTheIndex;
import io.moonpool.master.heartbeat.planted.WaitsForALock;
import io.moonpool.master.metadata.planted.ReachesAroundTheProxy;
import io.moonpool.master.metadata.planted.UsesTheProxy;
import io.moonpool.model.planted.DependsOnNetty;
import io.moonpool.node.planted.KeyHelper;
import io.moonpool.node.planted.LogsElsewhere;
import io.moonpool.node.planted.MutableStatic;
import io.moonpool.node.planted.NotNullMarked;
import io.moonpool.node.planted.Prints;
import io.moonpool.node.planted.PrintsAStackTrace;
import io.moonpool.protocol.planted.DependsOnTheMaster;
import io.moonpool.transfer.util.Anything;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each rule catches a class that was planted to break it: a rule that cannot fail is none. */
class ArchitectureRulesTest {
  private static final Map<String, List<Class<?>>> PLANTED =
      Map.ofEntries(
          Map.entry("model depends on the JDK only", List.of(DependsOnNetty.class)),
          Map.entry(
              "core depends on model, the JDK and primitive collections",
              List.of(DependsOnVertx.class)),
          Map.entry(
              "core has no clock, no randomness and no threads",
              List.of(
                  AsksTheClock.class, AsksTheCalendar.class, RollsDice.class, StartsAThread.class)),
          Map.entry("what applications embed never sees the index", List.of(SeesTheIndex.class)),
          Map.entry(
              "storage depends on model, libc and the JDK",
              List.of(io.moonpool.storage.planted.DependsOnVertx.class)),
          Map.entry("dependencies point one way", List.of(DependsOnTheMaster.class)),
          Map.entry(
              "verticles meet through proxies and messages", List.of(ReachesAroundTheProxy.class)),
          Map.entry(
              "the heartbeat loop is the heartbeat's alone",
              List.of(BorrowsTheHeartbeatLoop.class)),
          Map.entry(
              "the heartbeat calls nothing that may wait",
              List.of(WaitsForALock.class, AsksTheIndex.class)),
          Map.entry(
              "protections are taken away in load tests only", List.of(TakesAProtectionAway.class)),
          Map.entry(
              "every package is null-marked and says what it is for", List.of(NotNullMarked.class)),
          Map.entry("names say what a thing is for", List.of(KeyHelper.class, Anything.class)),
          Map.entry("no static mutable state", List.of(MutableStatic.class)),
          Map.entry("only slf4j logs", List.of(LogsElsewhere.class)),
          Map.entry(
              "only the command line writes to stdout and stderr",
              List.of(Prints.class, PrintsAStackTrace.class)));

  static Stream<Arguments> planted() {
    return PLANTED.entrySet().stream()
        .flatMap(
            entry -> entry.getValue().stream().map(type -> Arguments.of(entry.getKey(), type)));
  }

  @Test
  void everyRuleHasAPlantedViolation() {
    assertThat(PLANTED.keySet()).isEqualTo(ArchitectureRules.all().keySet());
  }

  @ParameterizedTest
  @MethodSource("planted")
  void catches(String rule, Class<?> violation) {
    EvaluationResult result = evaluate(rule, violation);
    assertThat(result.hasViolation()).isTrue();
    assertThat(result.getFailureReport().getDetails())
        .anyMatch(detail -> detail.contains(violation.getName()));
  }

  @Test
  void proxiesAndMessagesAreTheWayToAnotherVerticle() {
    assertThat(
            evaluate("verticles meet through proxies and messages", UsesTheProxy.class)
                .hasViolation())
        .isFalse();
  }

  private static EvaluationResult evaluate(String rule, Class<?> type) {
    return ArchitectureRules.all().get(rule).evaluate(new ClassFileImporter().importClasses(type));
  }
}
