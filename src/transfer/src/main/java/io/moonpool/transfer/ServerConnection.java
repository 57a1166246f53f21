package io.moonpool.transfer;

import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The server's side of a connection that carries requests for lent memory: answers in order, reads
 * no further while too many answers wait, and closes when the peer hangs or has left.
 *
 * <p>Runs on the channel's event loop, but for the methods that say "any thread".
 */
abstract class ServerConnection extends FrameHandler {
  private final TransferConfig config;
  private final int answerBytes;
  private final int maxWaiting;
  private volatile @Nullable ChannelHandlerContext context;
  private @Nullable Outbox outbox;
  private long writtenNanos = System.nanoTime();

  /** Answers whose payload is in the outbox or with the channel. */
  private final Set<Answer> sending = new HashSet<>();

  /**
   * A connection that is not open yet.
   *
   * @param requestBytes the size of a request's header
   * @param answerBytes the size of an answer's header
   * @param maxWaiting answers waiting to be sent at which no more requests are read
   */
  ServerConnection(
      TransferConfig config,
      LoopScratch scratch,
      int requestBytes,
      int answerBytes,
      int maxWaiting) {
    super(scratch, requestBytes);
    this.config = config;
    this.answerBytes = answerBytes;
    this.maxWaiting = maxWaiting;
  }

  /** The channel is open, or closed from now on. */
  abstract void opened();

  /** Lets go of a segment that was withdrawn or is mounted under another generation. Any thread. */
  abstract void abandon(Lent withdrawn);

  /** Whether the peer holds something as long as it is open, however silent it is. */
  boolean holdsSomething() {
    return false;
  }

  @Override
  public final void handlerAdded(ChannelHandlerContext added) {
    context = added;
    outbox = new Outbox(added.channel(), answerBytes, this::send);
  }

  @Override
  public final void channelActive(ChannelHandlerContext active) {
    opened();
    scheduleCheck(active);
    active.fireChannelActive();
  }

  private void scheduleCheck(ChannelHandlerContext current) {
    current
        .executor()
        .schedule(
            () -> check(current), config.operationTimeout().toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Closes a connection whose peer hangs in the middle of something, or has left long ago. */
  private void check(ChannelHandlerContext current) {
    if (!current.channel().isActive()) {
      return;
    }
    long now = System.nanoTime();
    long patience = 2 * config.operationTimeout().toNanos();
    boolean hangs =
        (insideFrame() && now - readNanos() > patience)
            || (sendsSomething() && now - writtenNanos > patience);
    // Twice the client's own time, so that the client is the one who closes.
    boolean idle = !holdsSomething() && now - readNanos() > 2 * config.idleTimeout().toNanos();
    if (hangs || (idle && !sendsSomething())) {
      current.close();
    } else {
      scheduleCheck(current);
    }
  }

  private boolean sendsSomething() {
    Outbox out = outbox;
    return !sending.isEmpty() || (out != null && out.size() > 0);
  }

  /** Queues an answer; {@link #send} sends it. */
  final void add(Answer answer) {
    Outbox out = outbox;
    if (out == null) {
      throw new IllegalStateException("an answer before the connection is open");
    }
    if (answer.lent != null) {
      sending.add(answer);
    }
    out.add(answer);
  }

  @Override
  public final void channelReadComplete(ChannelHandlerContext read) {
    send();
    read.fireChannelReadComplete();
  }

  @Override
  public final void channelWritabilityChanged(ChannelHandlerContext changed) {
    writtenNanos = System.nanoTime();
    send();
    changed.fireChannelWritabilityChanged();
  }

  /** Sends what waits, and reads on or not. */
  final void send() {
    Outbox out = outbox;
    ChannelHandlerContext current = context;
    if (out != null && current != null) {
      if (!sendsSomething()) {
        writtenNanos = System.nanoTime();
      }
      out.pump();
      // A client that asks and does not read the answers must not fill the memory with them.
      boolean read = out.size() < maxWaiting;
      if (current.channel().config().isAutoRead() != read) {
        current.channel().config().setAutoRead(read);
      }
    }
  }

  /** Gives up what was not sent. */
  final void closeOutbox() {
    Outbox out = outbox;
    if (out != null) {
      out.close();
    }
  }

  final @Nullable ChannelHandlerContext context() {
    return context;
  }

  final void onLoop(Runnable task) {
    ChannelHandlerContext current = context;
    if (current != null) {
      current.executor().execute(task);
    }
  }

  /** Closes the connection if it still sends bytes of that segment. Any thread. */
  final void cutOff(Lent withdrawn) {
    onLoop(
        () -> {
          if (sending.stream().anyMatch(answer -> withdrawn.equals(answer.lent))) {
            close();
          }
        });
  }

  /** Closes the connection. Any thread. */
  final void close() {
    ChannelHandlerContext current = context;
    if (current != null) {
      current.close();
    }
  }

  /**
   * Ends what is under way in a segment, which is lent under no generation from now on. Blocks.
   *
   * @throws IllegalStateException when that takes longer than any transfer may
   */
  static void pause(Lent lent, Collection<? extends ServerConnection> connections) {
    lent.generation(Lent.INACTIVE);
    connections.forEach(connection -> connection.abandon(lent));
    if (!Grace.await(() -> !lent.untouched())) {
      connections.forEach(connection -> connection.cutOff(lent));
      requireUntouched(lent);
    }
  }

  /**
   * Waits until no transfer touches a segment that was paused. Blocks.
   *
   * @throws IllegalStateException when that takes longer than any transfer may
   */
  static void requireUntouched(Lent lent) {
    if (!Grace.await(() -> !lent.untouched())) {
      throw new IllegalStateException(
          "transfers of segment " + lent.id() + " do not end: a thread that makes one is blocked");
    }
  }

  /** Lends a segment no longer; completes when no transfer touches it. */
  static Future<Void> withdraw(
      Vertx vertx, Lent lent, Collection<? extends ServerConnection> connections) {
    Future<Void> idle = lent.withdraw();
    if (!idle.isComplete()) {
      connections.forEach(connection -> connection.abandon(lent));
      long timer =
          vertx.setTimer(
              Grace.MILLIS, fired -> connections.forEach(connection -> connection.cutOff(lent)));
      idle.onComplete(done -> vertx.cancelTimer(timer));
    }
    return idle;
  }

  /** An answer on its way out; it keeps the segment of its payload until that is written. */
  abstract class Answer implements Outgoing {
    private final @Nullable MemorySegment payload;
    private final @Nullable Lent lent;

    /**
     * An answer.
     *
     * @param payload null for none
     * @param lent the segment that has been entered for the payload; null for none
     */
    Answer(@Nullable MemorySegment payload, @Nullable Lent lent) {
      this.payload = payload;
      this.lent = lent;
    }

    @Override
    public final boolean dropped() {
      return false;
    }

    @Override
    public final @Nullable MemorySegment payload() {
      return payload;
    }

    @Override
    public final void released(boolean written) {
      writtenNanos = System.nanoTime();
      if (lent != null) {
        sending.remove(this);
        lent.leave();
        if (written && payload != null) {
          sent(payload.byteSize());
        }
      }
    }

    /** The bytes of a segment have been written. */
    void sent(long bytes) {}
  }
}
