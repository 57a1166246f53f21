package io.moonpool.master.drain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.moonpool.master.TestMaster;
import io.moonpool.model.JobStatus;
import io.moonpool.model.ReplicateConfig;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.DescribeSegments;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Space that one metadata loop frees is what lanes of all loops wait for. */
class LaneSpaceTest {
  private static final int SIZE = 4_096;
  private static final int FILL = 220;
  private static final int OBJECTS = 60;

  /** What fits into 1 MiB below the high watermark of 0.9. */
  private static final int FITS = 230;

  private final TestMaster test =
      TestMaster.start(TestMaster.config().metadataLoops(4).leaseTtlMillis(300));

  @AfterEach
  void stop() {
    test.close();
  }

  private static String[] keys(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> prefix + i).toArray(String[]::new);
  }

  private JobInfo job(UUID id) {
    return TestMaster.await(test.master().drains().job(id));
  }

  private long usedBytes(TestMaster.Node node) {
    return test.call(Calls.DESCRIBE_SEGMENTS, new DescribeSegments(new long[0])).stream()
        .filter(segment -> segment.spec().id().equals(node.segments().getFirst().id()))
        .findFirst()
        .orElseThrow()
        .usedBytes();
  }

  @Test
  void wakesThemWhicheverLoopFreedIt() {
    TestMaster.Node source = test.node(1, 1 << 20);
    test.put(SIZE, keys("key-", OBJECTS));
    TestMaster.Node target = test.node(2, 1 << 20);
    ReplicateConfig there =
        ReplicateConfig.DEFAULT.withPreferredSegments(List.of(target.segments().getFirst().name()));
    test.put(there, SIZE, keys("fill-", FILL));
    // A loop that finds the segment taken by another one goes elsewhere.
    long onTarget = usedBytes(target) / SIZE;
    long units = OBJECTS + FILL - onTarget;
    TestNode works = new TestNode(test, source).start();
    UUID id =
        TestMaster.await(
                test.master().drains().createJob(DrainRequest.ofNode(source.id().toString())))
            .id();
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> {
              assertThat(job(id).succeededUnits()).isEqualTo(FITS - onTarget);
              assertThat(job(id).blockedUnits()).isEqualTo(units - (FITS - onTarget));
            });
    assertThat(job(id).status()).isEqualTo(JobStatus.RUNNING);
    for (String key : keys("fill-", OBJECTS)) {
      assertThat(test.remove(key, true).ok()).isTrue();
    }
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(job(id).status()).isEqualTo(JobStatus.SUCCEEDED));
    assertThat(job(id).succeededUnits()).isBetween((long) OBJECTS, units);
    assertThat(test.exists("fill-" + (FILL - 1))).as("nothing was pushed out").isTrue();
    assertThat(job(id).failedAttempts()).isZero();
    works.stop();
  }
}
