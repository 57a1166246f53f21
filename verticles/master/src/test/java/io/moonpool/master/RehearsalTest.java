package io.moonpool.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.master.request.TestCertificate;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class RehearsalTest {
  @TempDir Path folder;

  private static void assertComplete(MasterStats.Snapshot played) {
    // A call that is new has to be rehearsed, too.
    for (MasterCall call : MasterCall.values()) {
      assertThat(played.calls().get(call).requests()).as("calls of %s", call).isPositive();
    }
    assertThat(played.pings()).isPositive();
    assertThat(played.evictedObjects()).isPositive();
    assertThat(played.suspectedTransitions()).isPositive();
    assertThat(played.recoveries()).isPositive();
    assertThat(played.offlineTransitions()).isPositive();
    assertThat(played.objects()).as("objects that outlive their segments").isZero();
    assertThat(played.memoryCapacityBytes()).isZero();
  }

  @Test
  void makesEveryCallAndEveryStepOfLiveness() throws Exception {
    assertComplete(Rehearsal.play(MasterConfig.builder().metadataLoops(3).build()));
  }

  @Test
  void speaksTlsWhenTheMasterDoes() throws Exception {
    TestCertificate certificate = TestCertificate.create(folder);
    assertComplete(
        Rehearsal.play(
            MasterConfig.builder()
                .metadataLoops(1)
                .tlsCert(certificate.certificate().toString())
                .tlsKey(certificate.key().toString())
                .build()));
  }

  @Test
  void endsAlsoWhenItCannotBePlayed() throws Exception {
    MasterConfig unreadable =
        MasterConfig.builder().tlsCert("no such file").tlsKey("no such file").build();
    Rehearsal.run(unreadable).toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }
}
