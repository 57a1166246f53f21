package io.moonpool.node;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.model.config.ByteSizes;
import io.moonpool.protocol.call.DiskRecord;
import io.moonpool.protocol.call.MemoryOnly;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Before a node with a disk ends: its segments take no new objects, writes that are in progress may
 * end, and what would be lost with its memory is written to its disk, for a limited time. The
 * master tells what there is; the node's disk session does the writing meanwhile.
 *
 * <p>Belongs to the segment verticle's event loop.
 */
final class LastOffload {
  private static final Logger LOG = LoggerFactory.getLogger(LastOffload.class);
  private static final long FIRST_PAUSE_MILLIS = 20;
  private static final long MAX_PAUSE_MILLIS = 500;

  /** How long a master that cannot be asked is asked again. */
  private static final long SILENCE_MILLIS = 2_000;

  /** The grace period must not end before the node has: then the master would remove objects. */
  private static final long GRACE_MARGIN_MILLIS = 60_000;

  private static final int LONGEST_KEY = 64;
  private static final MemoryOnly NOTHING = new MemoryOnly(0, 0, 0, List.of());

  private final Vertx vertx;
  private final MasterSession session;
  private final long incarnation;
  private final long limitMillis;
  private final long startNanos = System.nanoTime();
  private long heardNanos = startNanos;

  /** What the master said last. */
  private List<MemoryOnly> left = List.of();

  private boolean told;

  /**
   * An offload.
   *
   * @param incarnation of the node's registration
   * @param limitMillis how long it may take
   */
  LastOffload(Vertx vertx, MasterSession session, long incarnation, long limitMillis) {
    this.vertx = vertx;
    this.session = session;
    this.incarnation = incarnation;
    this.limitMillis = limitMillis;
  }

  /**
   * Does it.
   *
   * @param segmentIds of the memory segments
   * @param generations of their mounts
   * @return fails with PERSISTENT_FAIL when objects are left that are in memory only, and says
   *     which. A master that is gone has lost them anyway: that is no failure
   */
  Future<Void> run(List<UUID> segmentIds, List<Long> generations) {
    for (UUID id : segmentIds) {
      // Ends when the segment is gone, which is later. If it fails, so do the questions below.
      session.unmountLater(incarnation, id, limitMillis + GRACE_MARGIN_MILLIS);
    }
    return round(generations, FIRST_PAUSE_MILLIS);
  }

  private Future<Void> round(List<Long> generations, long pauseMillis) {
    List<Future<MemoryOnly>> answers = new ArrayList<>();
    for (long generation : generations) {
      answers.add(
          session
              .offload(incarnation, generation)
              .timeout(Math.max(SILENCE_MILLIS, limitMillis), TimeUnit.MILLISECONDS)
              .recover(LastOffload::nothingIfGone));
    }
    return Future.join(answers)
        .transform(
            joined ->
                joined.succeeded()
                    ? judge(answers, generations, pauseMillis)
                    : again(joined.cause(), generations, pauseMillis));
  }

  /** A master that does not know the node or the segment has nothing of it to lose. */
  private static Future<MemoryOnly> nothingIfGone(Throwable failure) {
    return switch (StoreException.codeOf(failure)) {
      case CLIENT_NOT_FOUND, SEGMENT_NOT_FOUND -> Future.succeededFuture(NOTHING);
      default -> Future.failedFuture(failure);
    };
  }

  private Future<Void> judge(
      List<Future<MemoryOnly>> answers, List<Long> generations, long pauseMillis) {
    heardNanos = System.nanoTime();
    left = answers.stream().map(Future::result).toList();
    long writes = left.stream().mapToLong(MemoryOnly::writes).sum();
    if (objects() + writes == 0) {
      return Future.succeededFuture();
    }
    if (!told) {
      told = true;
      LOG.info(
          "{} objects of {} are in memory only, {} writes go on: they have {} ms to get to disk",
          objects(),
          bytes(),
          writes,
          limitMillis);
    }
    return isOver() ? end() : later(generations, pauseMillis);
  }

  private Future<Void> again(Throwable failure, List<Long> generations, long pauseMillis) {
    if (millisSince(heardNanos) < SILENCE_MILLIS && !isOver()) {
      return later(generations, pauseMillis);
    }
    LOG.warn(
        "the master cannot be asked what is in this node's memory only: {}", failure.getMessage());
    return end();
  }

  private boolean isOver() {
    return millisSince(startNanos) >= limitMillis;
  }

  private Future<Void> end() {
    return objects() == 0
        ? Future.succeededFuture()
        : Future.failedFuture(new StoreException(ErrorCode.PERSISTENT_FAIL, lost()));
  }

  private long objects() {
    return left.stream().mapToLong(MemoryOnly::objects).sum();
  }

  private String bytes() {
    return ByteSizes.format(left.stream().mapToLong(MemoryOnly::bytes).sum());
  }

  private Future<Void> later(List<Long> generations, long pauseMillis) {
    return vertx
        .timer(pauseMillis)
        .compose(over -> round(generations, Math.min(2 * pauseMillis, MAX_PAUSE_MILLIS)));
  }

  private static long millisSince(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
  }

  private String lost() {
    String first =
        left.stream()
            .flatMap(part -> part.first().stream())
            .limit(10)
            .map(LastOffload::name)
            .collect(Collectors.joining(", "));
    return objects()
        + " objects of "
        + bytes()
        + " were in memory only and are lost, since they were not on disk within "
        + limitMillis
        + " ms: give the node more disk_quota_bytes or disk_shutdown_ms. The first: "
        + first;
  }

  private static String name(DiskRecord object) {
    String key = new String(object.key(), StandardCharsets.UTF_8);
    return key.length() <= LONGEST_KEY ? key : key.substring(0, LONGEST_KEY) + "...";
  }
}
