package io.moonpool.master.heartbeat;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.core.liveness.ObservedClock;
import io.moonpool.protocol.heartbeat.PingStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ClientsByIdTest {
  /** Answers as it is told, and remembers whom it was asked about. */
  private static final class Recorder implements PingRecorder {
    private PingStatus status = PingStatus.OK;
    private int slot = -1;
    private long incarnation = -1;

    @Override
    public PingStatus record(int slot, long incarnation) {
      this.slot = slot;
      this.incarnation = incarnation;
      return status;
    }

    @Override
    public int masterEpoch() {
      return 1;
    }

    @Override
    public int viewVersion() {
      return 0;
    }

    @Override
    public ObservedClock clock() {
      throw new UnsupportedOperationException();
    }
  }

  private final Recorder recorder = new Recorder();
  private final ClientsById clients = new ClientsById();

  private PingStatus ping(UUID id) {
    recorder.slot = -1;
    return clients.ping(recorder, id.getMostSignificantBits(), id.getLeastSignificantBits());
  }

  @Test
  void onlyClientsThatMountedAgainAreOk() {
    UUID id = UUID.randomUUID();
    assertThat(ping(id)).isEqualTo(PingStatus.NEED_REMOUNT);
    assertThat(recorder.slot).isEqualTo(-1);

    KnownClient client = new KnownClient(id, 7, 99);
    clients.put(client);
    assertThat(ping(id)).isEqualTo(PingStatus.NEED_REMOUNT);
    assertThat(recorder.slot).as("it counts all the same").isEqualTo(7);
    assertThat(recorder.incarnation).isEqualTo(99);

    client.ready();
    assertThat(ping(id)).isEqualTo(PingStatus.OK);
    recorder.status = PingStatus.SUSPECTED;
    assertThat(ping(id)).isEqualTo(PingStatus.OK);
    recorder.status = PingStatus.NEED_REMOUNT;
    assertThat(ping(id)).isEqualTo(PingStatus.NEED_REMOUNT);
  }

  @Test
  void anEarlierIncarnationThatGoesLeavesTheLaterOne() {
    UUID id = UUID.randomUUID();
    KnownClient earlier = new KnownClient(id, 1, 1);
    KnownClient later = new KnownClient(id, 2, 2);
    later.ready();
    clients.put(earlier);
    clients.put(later);
    clients.remove(earlier);
    assertThat(ping(id)).isEqualTo(PingStatus.OK);
    assertThat(recorder.slot).isEqualTo(2);
    clients.remove(later);
    assertThat(ping(id)).isEqualTo(PingStatus.NEED_REMOUNT);
  }

  /** Ids that differ in one half only, of either sign, in any order of coming and going. */
  @Test
  void findsWhomItKnowsAndNobodyElse() {
    Random random = new Random(42);
    Map<UUID, KnownClient> model = new HashMap<>();
    for (int i = 0; i < 5_000; i++) {
      UUID id = new UUID(random.nextInt(12) - 6L, (random.nextInt(12) - 6L) << 60);
      KnownClient known = model.get(id);
      if (known != null && random.nextBoolean()) {
        clients.remove(known);
        model.remove(id);
      } else {
        KnownClient client = new KnownClient(id, i, i);
        client.ready();
        clients.put(client);
        model.put(id, client);
      }
      UUID asked = new UUID(random.nextInt(12) - 6L, (random.nextInt(12) - 6L) << 60);
      KnownClient expected = model.get(asked);
      assertThat(ping(asked)).isEqualTo(expected == null ? PingStatus.NEED_REMOUNT : PingStatus.OK);
      assertThat(recorder.slot).isEqualTo(expected == null ? -1 : expected.slot);
    }
  }

  @Test
  void nobodyIsLostWhenSeveralThreadsRegisterClients() throws InterruptedException {
    int threads = 4;
    int each = 500;
    CountDownLatch go = new CountDownLatch(1);
    List<Thread> writers = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int upper = t;
      writers.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    awaitQuietly(go);
                    for (int i = 0; i < each; i++) {
                      KnownClient client = new KnownClient(new UUID(i, upper), i, upper);
                      client.ready();
                      clients.put(client);
                      if (i % 2 == 0) {
                        clients.remove(client);
                      }
                    }
                  }));
    }
    go.countDown();
    for (Thread writer : writers) {
      writer.join();
    }
    for (int t = 0; t < threads; t++) {
      for (int i = 0; i < each; i++) {
        assertThat(ping(new UUID(i, t)))
            .isEqualTo(i % 2 == 0 ? PingStatus.NEED_REMOUNT : PingStatus.OK);
      }
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
