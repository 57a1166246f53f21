package io.moonpool.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What arrived while the process was stopped is dropped with the worker, whoever sent it. */
class UcxSegmentsTest {
  private static final UUID ID = new UUID(1, 1);
  private static final long GENERATION = 7;

  /** What a peer that has a ticket has done when the stop is noticed. */
  enum Peer {
    STAYS(true),
    /** Its connection closed while the process was stopped; that is noticed first. */
    GONE(true),
    /** It said that it had nothing under way. */
    LEFT(false);

    final boolean renews;

    Peer(boolean renews) {
      this.renews = renews;
    }
  }

  private final Vertx vertx = Vertx.vertx();

  @BeforeEach
  void requireLibrary() {
    RunningLoop.requireLibrary();
  }

  @AfterEach
  void close() {
    vertx.close().await();
  }

  @ParameterizedTest
  @EnumSource
  void isDroppedUnlessNobodyHadAnythingUnderWay(Peer what) throws Exception {
    VertxInternal internal = (VertxInternal) vertx;
    DataServer server =
        new DataServer(internal, ChannelSetup.load(internal, TransferConfig.node("127.0.0.1", 0)));
    UcxSegments segments = new UcxSegments(internal);
    try (RunningLoop running = new RunningLoop(segments)) {
      UcxRegion region = UcxRegion.allocate(running.context(), 4_096);
      segments.lend(ID, region, region.registered());
      segments.activate(ID, GENERATION);

      UcxSegments.Offer first = segments.open(ID, GENERATION, connection(server));
      UcxSegments.Visit visit = Objects.requireNonNull(first.visit());
      switch (what) {
        case STAYS -> {}
        case GONE -> visit.closed();
        case LEFT -> visit.left();
      }
      Promise<Void> looked = Promise.promise();
      running
          .loop()
          .execute(
              () -> {
                segments.stalled();
                looked.complete();
              },
              () -> looked.fail("the loop has ended"));
      looked.future().await(20, TimeUnit.SECONDS);
      UcxSegments.Offer second = segments.open(ID, GENERATION, connection(server));
      assertThat(worker(second) != worker(first)).isEqualTo(what.renews);

      Objects.requireNonNull(second.visit()).left();
      segments.withdraw(ID).await(20, TimeUnit.SECONDS);
      region.close();
    }
  }

  private static DataServerConnection connection(DataServer server) {
    return new DataServerConnection(server, new LoopScratch());
  }

  private static long worker(UcxSegments.Offer offer) throws Exception {
    MemorySegment ticket = Objects.requireNonNull(offer.ticket());
    return UcxTicket.decode(ticket).worker();
  }
}
