package io.moonpool.node.task;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.Outcome;
import io.moonpool.model.SegmentInfo;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.protocol.call.DiskWork;
import io.moonpool.protocol.call.ReplicaTask;
import io.moonpool.protocol.call.SettleOffloads;
import io.moonpool.protocol.call.SettlePromotions;
import io.moonpool.protocol.call.SettleTasks;
import io.moonpool.protocol.call.SettledOffload;
import io.moonpool.protocol.call.SettledPromotion;
import io.moonpool.protocol.call.SettledTask;
import io.moonpool.protocol.call.TakeTasks;
import io.moonpool.protocol.frame.FrameClientOptions;
import io.moonpool.protocol.frame.FrameDispatcher;
import io.moonpool.protocol.frame.FrameLimits;
import io.moonpool.protocol.frame.FrameServer;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetServerOptions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** A master that hands out the tasks that a test gives it, over a real socket. Any thread. */
final class ScriptedMaster implements AutoCloseable {
  private static final long DISK_WAIT_MILLIS = 200;

  private final Vertx vertx = Vertx.vertx();
  private final FrameServer server;

  // All guarded by this.
  private final Map<Long, SegmentInfo> segments = new HashMap<>();
  private final Map<Long, Deque<ReplicaTask>> tasks = new HashMap<>();
  private final List<Waiting> waiting = new ArrayList<>();
  private final List<SettledTask> settled = new ArrayList<>();
  private final List<SettleTasks> settleCalls = new ArrayList<>();
  private final Deque<Late> diskWork = new ArrayDeque<>();
  private final List<SettledPromotion> promotions = new ArrayList<>();
  private final List<SettledOffload> offloads = new ArrayList<>();
  private int mostAsked;
  private int settlesToFail;
  private Function<SettledTask, ErrorCode> judge = task -> ErrorCode.OK;

  /** A call that waits for tasks. */
  private record Waiting(TakeTasks request, Promise<List<ReplicaTask>> answer) {}

  ScriptedMaster() throws Exception {
    FrameDispatcher dispatcher =
        FrameDispatcher.builder()
            .on(Calls.DESCRIBE_SEGMENTS, this::describe)
            .on(Calls.TAKE_TASKS, this::take)
            .on(Calls.SETTLE_TASKS, this::settle)
            .on(
                Calls.REPORT_DISK_OBJECTS,
                page ->
                    Future.succeededFuture(
                        page.objects().stream().map(each -> Outcome.<Void>done()).toList()))
            .on(Calls.TAKE_DISK_WORK, request -> diskWork())
            .on(Calls.SETTLE_PROMOTIONS, this::settle)
            .on(Calls.SETTLE_OFFLOADS, this::settle)
            .build();
    server =
        FrameServer.listen(
                vertx,
                new NetServerOptions().setHost("127.0.0.1").setPort(0),
                dispatcher,
                FrameLimits.DEFAULT)
            .await(10, TimeUnit.SECONDS);
  }

  FrameClientOptions address() {
    return FrameClientOptions.of("127.0.0.1", server.port());
  }

  /** Work for the disk, and how long its answer is on its way. */
  private record Late(DiskWork work, long millis) {}

  private synchronized Future<DiskWork> diskWork() {
    Late next = diskWork.poll();
    return next == null
        ? vertx.timer(DISK_WAIT_MILLIS).map(over -> DiskWork.NONE)
        : vertx.timer(next.millis).map(over -> next.work);
  }

  /** Hands out work for the disk to the next call, whose answer is read so much later. */
  synchronized void offerLate(DiskWork work, long millis) {
    diskWork.add(new Late(work, millis));
  }

  private synchronized Future<List<Outcome<Void>>> settle(SettlePromotions request) {
    promotions.addAll(request.promotions());
    return Future.succeededFuture(done(request.promotions()));
  }

  private synchronized Future<List<Outcome<Void>>> settle(SettleOffloads request) {
    offloads.addAll(request.offloads());
    return Future.succeededFuture(done(request.offloads()));
  }

  private static List<Outcome<Void>> done(List<?> items) {
    return items.stream().map(each -> Outcome.<Void>done()).toList();
  }

  synchronized List<SettledPromotion> promotions() {
    return List.copyOf(promotions);
  }

  synchronized List<SettledOffload> offloads() {
    return List.copyOf(offloads);
  }

  private synchronized Future<List<SegmentInfo>> describe(DescribeSegments request) {
    return Future.succeededFuture(
        Arrays.stream(request.generations())
            .filter(segments::containsKey)
            .mapToObj(segments::get)
            .toList());
  }

  private synchronized Future<List<ReplicaTask>> take(TakeTasks request) {
    mostAsked = Math.max(mostAsked, request.maxTasks());
    List<ReplicaTask> some = next(request);
    if (!some.isEmpty()) {
      return Future.succeededFuture(some);
    }
    Promise<List<ReplicaTask>> answer = Promise.promise();
    Waiting later = new Waiting(request, answer);
    waiting.add(later);
    vertx.setTimer(request.waitMillis(), over -> giveUp(later));
    return answer.future();
  }

  private synchronized void giveUp(Waiting later) {
    if (waiting.remove(later)) {
      later.answer.complete(List.of());
    }
  }

  private List<ReplicaTask> next(TakeTasks request) {
    Deque<ReplicaTask> queue =
        tasks.computeIfAbsent(request.incarnation(), i -> new ArrayDeque<>());
    List<ReplicaTask> some = new ArrayList<>();
    while (!queue.isEmpty() && some.size() < request.maxTasks()) {
      some.add(queue.remove());
    }
    return some;
  }

  private synchronized Future<List<Outcome<Void>>> settle(SettleTasks request) {
    settleCalls.add(request);
    if (settlesToFail > 0) {
      settlesToFail--;
      return Future.failedFuture("the answer is lost");
    }
    settled.addAll(request.tasks());
    return Future.succeededFuture(
        request.tasks().stream()
            .map(
                task -> {
                  ErrorCode code = judge.apply(task);
                  return code == ErrorCode.OK ? Outcome.<Void>done() : Outcome.<Void>error(code);
                })
            .toList());
  }

  synchronized void describe(SegmentInfo segment) {
    segments.put(segment.generation(), segment);
  }

  synchronized void forget(SegmentInfo segment) {
    segments.remove(segment.generation());
  }

  /** Hands out a task to whoever asks under that incarnation. */
  synchronized void offer(long incarnation, ReplicaTask task) {
    tasks.computeIfAbsent(incarnation, each -> new ArrayDeque<>()).add(task);
    for (Waiting each : List.copyOf(waiting)) {
      if (each.request.incarnation() == incarnation) {
        List<ReplicaTask> some = next(each.request);
        if (!some.isEmpty()) {
          waiting.remove(each);
          each.answer.complete(some);
        }
      }
    }
  }

  synchronized void judge(Function<SettledTask, ErrorCode> by) {
    judge = by;
  }

  synchronized void failSettles(int calls) {
    settlesToFail = calls;
  }

  synchronized List<SettledTask> settled() {
    return List.copyOf(settled);
  }

  synchronized List<SettleTasks> settleCalls() {
    return List.copyOf(settleCalls);
  }

  /** How the task ended, as often as it was told and accepted. */
  synchronized List<ErrorCode> settled(UUID taskId) {
    return settled.stream()
        .filter(task -> task.taskId().equals(taskId))
        .map(task -> ErrorCode.ofNumber(task.code()))
        .toList();
  }

  synchronized int mostAsked() {
    return mostAsked;
  }

  /** Calls that wait for tasks of that incarnation now. */
  synchronized long waiting(long incarnation) {
    return waiting.stream().filter(each -> each.request.incarnation() == incarnation).count();
  }

  @Override
  public void close() throws Exception {
    server.close().await(10, TimeUnit.SECONDS);
    vertx.close().await(10, TimeUnit.SECONDS);
  }
}
