package io.moonpool.app.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.moonpool.master.loop.MasterLoops;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.NullMarked;

/** The rules that a change must not break, by name. Each says why it is there. */
final class ArchitectureRules {
  private static final String ROOT = "io.moonpool..";

  /** Code that a generator wrote from the .proto files. */
  private static final String GENERATED = "io.moonpool.protocol.grpc..";

  /** Packages whose verticles own state; the segment after {@code io.moonpool.master}. */
  private static final Set<String> VERTICLE_PACKAGES =
      Set.of("metadata", "segment", "monitor", "heartbeat", "drain", "api", "admin", "grpc", "bus");

  private static final String MASTER = "io.moonpool.master.";

  /** Where pings are recorded, in {@code io.moonpool.core.liveness}. */
  private static final Set<String> SLOTS_AND_VIEW =
      Set.of(
          "ClientView",
          "LivenessSlot",
          "LivenessSlotFrontPadding",
          "LivenessSlotTimestamp",
          "ObservedClock",
          "PingAnswer",
          "PublishedClients");

  /** Single classes that the heartbeat knows; with them it starts, counts, and finds its loop. */
  private static final Set<String> HEARTBEAT_NEEDS =
      Set.of(
          "io.moonpool.master.MasterConfig",
          "io.moonpool.master.MooncakeConfig",
          "io.moonpool.master.loop.LoopCounter",
          "io.moonpool.master.loop.MasterLoop",
          "io.moonpool.model.ClientState",
          "io.moonpool.protocol.frame.LogGate",
          "io.vertx.core.Future",
          "io.vertx.core.Promise",
          "io.vertx.core.VerticleBase",
          "io.vertx.core.spi.transport.Transport",
          "java.io.IOException",
          "java.util.Iterator",
          "java.util.LinkedHashSet",
          "java.util.Objects",
          "java.util.Set",
          "java.util.UUID",
          "java.util.concurrent.TimeUnit");

  private ArchitectureRules() {}

  /** All rules. */
  static Map<String, ArchRule> all() {
    Map<String, ArchRule> rules = new LinkedHashMap<>();
    rules.put("model depends on the JDK only", onlyJdk());
    rules.put("core depends on model, the JDK and primitive collections", core());
    rules.put("core has no clock, no randomness and no threads", noClock());
    rules.put("what applications embed never sees the index", noCoreInClients());
    rules.put("storage depends on model, libc and the JDK", storage());
    rules.put("dependencies point one way", oneWay());
    rules.put("verticles meet through proxies and messages", verticlesApart());
    rules.put("the heartbeat loop is the heartbeat's alone", heartbeatLoop());
    rules.put("the heartbeat calls nothing that may wait", heartbeatCalls());
    rules.put("protections are taken away in load tests only", ablations());
    rules.put("every package is null-marked and says what it is for", nullMarked());
    rules.put("names say what a thing is for", names());
    rules.put("no static mutable state", noMutableStatics());
    rules.put("only slf4j logs", onlySlf4j());
    rules.put("only the command line writes to stdout and stderr", noStandardStreams());
    return rules;
  }

  private static ArchRule onlyJdk() {
    return classes()
        .that()
        .resideInAPackage("io.moonpool.model..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "org.jspecify..", "io.moonpool.model..")
        .because("ids, keys and descriptors are shared by everything, so they bring nothing along");
  }

  private static ArchRule core() {
    return classes()
        .that()
        .resideInAPackage("io.moonpool.core..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "org.jspecify..",
            "it.unimi.dsi.fastutil..",
            "io.moonpool.model..",
            "io.moonpool.core..")
        .because("the master's brain is plain Java: no Vert.x, no Netty, no I/O");
  }

  private static ArchRule noClock() {
    DescribedPredicate<JavaAccess<?>> asks =
        DescribedPredicate.describe(
            "the target is a clock, a random source or a thread",
            access -> {
              String owner = access.getTargetOwner().getFullName();
              String name = access.getTarget().getName();
              boolean clock =
                  owner.equals("java.lang.System")
                      && (name.equals("nanoTime") || name.equals("currentTimeMillis"));
              boolean now = owner.startsWith("java.time.") && name.equals("now");
              boolean random =
                  owner.startsWith("java.util.random.")
                      || Set.of(
                              "java.util.Random",
                              "java.util.SplittableRandom",
                              "java.security.SecureRandom",
                              "java.util.concurrent.ThreadLocalRandom")
                          .contains(owner)
                      || (owner.equals("java.lang.Math") && name.equals("random"))
                      || (owner.equals("java.util.UUID") && name.equals("randomUUID"));
              // A hint to the processor starts and stops nothing.
              boolean thread =
                  (owner.equals("java.lang.Thread") && !name.equals("onSpinWait"))
                      || access.getTargetOwner().isAssignableTo(Executor.class);
              return clock || now || random || thread;
            });
    return noClasses()
        .that()
        .resideInAPackage("io.moonpool.core..")
        .should()
        .accessTargetWhere(asks)
        .because(
            "the core is a state machine: time and randomness are arguments, so it can be replayed");
  }

  private static ArchRule noCoreInClients() {
    return noClasses()
        .that()
        .resideInAnyPackage(
            "io.moonpool.client..",
            "io.moonpool.storage..",
            "io.moonpool.transfer..",
            "io.moonpool.libc..",
            "io.moonpool.protocol..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.moonpool.core..")
        .because("an application that embeds the client does not ship the index");
  }

  private static ArchRule storage() {
    return classes()
        .that()
        .resideInAPackage("io.moonpool.storage..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "org.jspecify..",
            "org.slf4j..",
            "io.moonpool.model..",
            "io.moonpool.libc..",
            "io.moonpool.storage..")
        .because("the store is plain blocking Java: no Vert.x, and no loop that it could block");
  }

  private static ArchRule oneWay() {
    return noClasses()
        .that()
        .resideInAnyPackage(
            "io.moonpool.model..",
            "io.moonpool.core..",
            "io.moonpool.client..",
            "io.moonpool.storage..",
            "io.moonpool.transfer..",
            "io.moonpool.libc..",
            "io.moonpool.protocol..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.moonpool.master..",
            "io.moonpool.node..",
            "io.moonpool.gateway..",
            "io.moonpool.bench..",
            "io.moonpool.app..")
        .because("libraries know nothing of what is deployed");
  }

  private static ArchRule verticlesApart() {
    return classes()
        .that()
        .resideInAPackage("io.moonpool.master..")
        .should(
            new ArchCondition<>("use of other verticles only proxies, interfaces and messages") {
              @Override
              public void check(JavaClass item, ConditionEvents events) {
                Optional<String> own = verticlePackage(item);
                if (own.isEmpty()) {
                  return;
                }
                for (Dependency dependency : item.getDirectDependenciesFromSelf()) {
                  JavaClass target = dependency.getTargetClass();
                  Optional<String> other = verticlePackage(target);
                  if (other.isPresent() && !other.equals(own) && !isSeam(target)) {
                    events.add(
                        SimpleConditionEvent.violated(dependency, dependency.getDescription()));
                  }
                }
              }
            })
        .because("each piece of state has one owner, and nobody reaches around its proxy");
  }

  private static Optional<String> verticlePackage(JavaClass item) {
    String name = item.getPackageName();
    if (!name.startsWith(MASTER)) {
      return Optional.empty();
    }
    String first = name.substring(MASTER.length()).split("\\.")[0];
    return VERTICLE_PACKAGES.contains(first) ? Optional.of(first) : Optional.empty();
  }

  private static boolean isSeam(JavaClass target) {
    return target.isInterface()
        || target.isRecord()
        || target.isEnum()
        || target.getSimpleName().endsWith("Proxy")
        // How messages look from outside; without state.
        || target.getSimpleName().endsWith("Forms");
  }

  private static ArchRule heartbeatLoop() {
    return noClasses()
        .that()
        .resideInAPackage(ROOT)
        .and(not(resideInAnyPackage("io.moonpool.master.heartbeat..", "io.moonpool.master.loop..")))
        // The starter deploys the heartbeat verticle there, and that only.
        .and(not(DescribedPredicate.describe("the starter", ArchitectureRules::isStarter)))
        .should()
        .callMethod(MasterLoops.class, "heartbeat")
        .because(
            "from the arrival of a heartbeat to its recording nothing may wait for other work");
  }

  /** What the classes between a ping and its recording may know. Locks are not among it. */
  private static ArchRule heartbeatCalls() {
    return classes()
        .that(
            resideInAPackage("io.moonpool.master.heartbeat..")
                .and(
                    DescribedPredicate.describe(
                        "are not of the load test",
                        item -> !item.getSimpleName().equals("LockedRecorder")))
                .or(
                    DescribedPredicate.describe(
                        "are the slots and the view",
                        item ->
                            item.getPackageName().equals("io.moonpool.core.liveness")
                                && SLOTS_AND_VIEW.contains(item.getSimpleName()))))
        .should()
        .onlyDependOnClassesThat(
            DescribedPredicate.describe(
                "are of those that it needs",
                // Of an array, what it holds.
                target -> mayBeKnownToTheHeartbeat(target.getBaseComponentType())))
        .because("what it does not know it cannot wait for");
  }

  private static boolean mayBeKnownToTheHeartbeat(JavaClass target) {
    return resideInAnyPackage(
                "java.lang",
                "java.lang.invoke",
                "java.net",
                "io.netty.bootstrap",
                "io.netty.buffer",
                "io.netty.channel",
                "io.netty.handler.ssl",
                "io.netty.util",
                "io.netty.util.concurrent",
                "io.moonpool.master.heartbeat..",
                "io.moonpool.protocol.heartbeat",
                "io.moonpool.libc",
                "org.jspecify..",
                "org.slf4j")
            .test(target)
        || target.isPrimitive()
        || HEARTBEAT_NEEDS.contains(target.getFullName())
        || (target.getPackageName().equals("io.moonpool.core.liveness")
            && SLOTS_AND_VIEW.contains(target.getSimpleName()));
  }

  private static ArchRule ablations() {
    return noClasses()
        .that()
        .resideInAPackage(ROOT)
        .and(
            not(
                DescribedPredicate.describe(
                    "the starter of masters, or the load test",
                    item ->
                        isStarter(item)
                            || Set.of(
                                    "io.moonpool.master.rig",
                                    "io.moonpool.app.command.bench.heartbeat")
                                .contains(item.getPackageName()))))
        .should()
        .dependOnClassesThat(
            DescribedPredicate.describe(
                "take protections of heartbeats away",
                target ->
                    target.getPackageName().equals("io.moonpool.master.rig")
                        || Set.of("LockedRecorder", "WholeIndexMounts")
                            .contains(target.getSimpleName())))
        .because("no configuration may bring a master to do what the design forbids");
  }

  private static boolean isStarter(JavaClass item) {
    return item.getPackageName().equals("io.moonpool.master")
        && item.getSimpleName().equals("Master");
  }

  private static ArchRule nullMarked() {
    return classes()
        .that()
        .resideInAPackage(ROOT)
        .and(not(resideInAPackage(GENERATED)))
        .should(
            new ArchCondition<>("reside in a package that is @NullMarked in its package-info") {
              @Override
              public void check(JavaClass item, ConditionEvents events) {
                JavaPackage home = item.getPackage();
                boolean marked =
                    home.tryGetPackageInfo()
                        .map(info -> info.isAnnotatedWith(NullMarked.class))
                        .orElse(false);
                if (!marked) {
                  events.add(
                      SimpleConditionEvent.violated(
                          item,
                          item.getFullName() + " is in " + home.getName() + ", which is not"));
                }
              }
            })
        .because("null is a contract, and a package says what it is for and which thread runs it");
  }

  private static ArchRule names() {
    return noClasses()
        .that()
        .resideInAPackage(ROOT)
        .and(not(resideInAPackage(GENERATED)))
        .should()
        .haveNameMatching(".*(Utils?|Helpers?|Managers?|Common)(\\$.*)?")
        .orShould()
        .resideInAnyPackage("..util..", "..utils..", "..common..", "..helper..", "..manager..")
        .because("a name says what a thing is for");
  }

  private static ArchRule noMutableStatics() {
    return noFields()
        .that()
        .areDeclaredInClassesThat(resideInAPackage(ROOT).and(not(resideInAPackage(GENERATED))))
        .and()
        .areStatic()
        .should()
        .notHaveModifier(JavaModifier.FINAL)
        .because("state has an owner, and several masters live in one JVM");
  }

  private static ArchRule onlySlf4j() {
    return noClasses()
        .that()
        .resideInAPackage(ROOT)
        .and(not(resideInAPackage("io.moonpool.app.logging..")))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "java.util.logging..",
            "ch.qos.logback..",
            "org.apache.logging..",
            "io.vertx.core.logging..")
        .because("the application chooses how to log");
  }

  private static ArchRule noStandardStreams() {
    DescribedPredicate<JavaAccess<?>> streams =
        DescribedPredicate.describe(
            "the target is System.out, System.err or printStackTrace",
            access -> {
              String owner = access.getTargetOwner().getFullName();
              String name = access.getTarget().getName();
              boolean field =
                  owner.equals("java.lang.System") && (name.equals("out") || name.equals("err"));
              boolean trace =
                  name.equals("printStackTrace")
                      && access.getTargetOwner().isAssignableTo(Throwable.class);
              return field || trace;
            });
    return noClasses()
        .that()
        .resideInAPackage(ROOT)
        .and(not(resideInAnyPackage("io.moonpool.app..", "io.moonpool.bench..")))
        .should()
        .accessTargetWhere(streams)
        .because(
            "a library does not talk to the terminal, and a blocked pipe must not block a server");
  }
}
