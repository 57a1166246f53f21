package io.moonpool.protocol.frame;

import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.Answer;
import io.moonpool.protocol.frame.FrameDispatcher.Route;
import io.moonpool.protocol.wire.Form;
import io.moonpool.protocol.wire.MalformedMessage;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's end of a connection. Add one to the pipeline of each accepted channel, after TLS and
 * before whatever handles the rest.
 *
 * <p>Answers go out as their futures complete, each with the sequence of its request. Reading stops
 * while too many requests are unanswered or the peer does not take its answers. A body that is not
 * what the call takes is answered with an error; a frame that cannot be told from garbage closes
 * the connection.
 */
public final class FrameServerHandler extends FrameHandler {
  private static final Logger LOG = LoggerFactory.getLogger(FrameServerHandler.class);

  private final FrameDispatcher dispatcher;
  private final FrameLimits limits;
  private final LogGate logGate;

  private final BooleanSupplier gone = this::isGone;

  private int inFlight;
  private long inFlightBytes;
  private Form lastForm = Form.LITERAL;
  private long framesTaken;

  private boolean watching;
  private boolean watchedInsideFrame;
  private long watchedFrames;
  private long watchedUnsentBytes;

  /**
   * A handler for one connection.
   *
   * @param counters shared by all connections of the same event loop
   * @param context the Vert.x context that handlers run on; null on plain Netty
   */
  public FrameServerHandler(
      FrameDispatcher dispatcher,
      FrameLimits limits,
      FrameCounters counters,
      @Nullable ContextInternal context) {
    this(dispatcher, limits, counters, context, new FrameTurns(), new LogGate());
  }

  FrameServerHandler(
      FrameDispatcher dispatcher,
      FrameLimits limits,
      FrameCounters counters,
      @Nullable ContextInternal context,
      FrameTurns turns,
      LogGate logGate) {
    super(counters, context, turns);
    this.dispatcher = dispatcher;
    this.limits = limits;
    this.logGate = logGate;
  }

  /** Whether the peer is gone; any thread. */
  private boolean isGone() {
    return !ctx().channel().isActive();
  }

  @Override
  boolean saturated() {
    return inFlight >= limits.maxInFlight()
        || inFlightBytes >= limits.maxInFlightBytes()
        || !ctx().channel().isWritable();
  }

  @Override
  boolean isUrgent(ByteBuf in) {
    if (in.readableBytes() < FrameHeader.REQUEST_BYTES) {
      return false;
    }
    return dispatcher.isUrgent(in.getIntLE(in.readerIndex() + FrameHeader.FUNCTION_AT));
  }

  @Override
  void onClosed() {
    counters.add(FrameCounter.IN_FLIGHT, -inFlight);
    inFlight = 0;
  }

  @Override
  void onIdle() {
    watch();
  }

  @Override
  boolean takeFrame(ByteBuf in) {
    int start = in.readerIndex();
    if (in.getByte(start) != FrameHeader.MAGIC) {
      reject("a frame starts with the byte " + (in.getByte(start) & 0xff) + ", expected 21");
      return false;
    }
    int readable = in.readableBytes();
    if (readable < FrameHeader.REQUEST_BYTES) {
      return false;
    }
    if (in.getByte(start + 1) != FrameHeader.VERSION) {
      reject("a frame has version " + (in.getByte(start + 1) & 0xff) + ", expected 0");
      return false;
    }
    long bodyBytes = in.getUnsignedIntLE(start + FrameHeader.REQUEST_BODY_AT);
    long frameBytes = bodyBytes + in.getUnsignedIntLE(start + FrameHeader.REQUEST_ATTACHMENT_AT);
    if (frameBytes > limits.maxBodyBytes()) {
      reject("a frame of " + frameBytes + " bytes exceeds the limit of " + limits.maxBodyBytes());
      return false;
    }
    frameBytes += FrameHeader.REQUEST_BYTES;
    if (readable < frameBytes) {
      return false;
    }
    framesTaken++;
    counters.add(FrameCounter.FRAMES_IN, 1);
    serveFrame(in, start, (int) bodyBytes, start + (int) frameBytes);
    return !isClosed();
  }

  private void serveFrame(ByteBuf in, int start, int bodyBytes, int frameEnd) {
    int sequence = in.getIntLE(start + FrameHeader.SEQUENCE_AT);
    int functionId = in.getIntLE(start + FrameHeader.FUNCTION_AT);
    int serialisation = in.getByte(start + FrameHeader.SERIALISATION_AT);
    // The decoder must see the body only: hide what follows it, and show it again afterwards.
    int writerIndex = in.writerIndex();
    int bodyStart = start + FrameHeader.REQUEST_BYTES;
    in.setIndex(bodyStart, bodyStart + bodyBytes);
    lastForm = Form.of(in, lastForm);
    Request<?, ?> request;
    try {
      Route<?, ?> route = dispatcher.find(functionId, in);
      if (route == null) {
        counters.add(FrameCounter.UNKNOWN_FUNCTIONS, 1);
        sendError(
            sequence,
            lastForm,
            FrameHeader.UNKNOWN_FUNCTION,
            "no function has the id 0x" + Integer.toHexString(functionId));
        return;
      }
      if (serialisation != 0) {
        throw new MalformedMessage("the serialisation is " + serialisation + ", expected 0");
      }
      request = Request.decode(this, route, sequence, bodyBytes, in);
    } catch (MalformedMessage e) {
      counters.add(FrameCounter.MALFORMED_BODIES, 1);
      sendError(sequence, lastForm, FrameHeader.BAD_ARGUMENTS, "bad arguments: " + e.getMessage());
      return;
    } finally {
      in.setIndex(frameEnd, writerIndex);
    }
    request.serve();
  }

  private void reject(String why) {
    counters.add(FrameCounter.MALFORMED_FRAMES, 1);
    warn("closing the connection of {}: {}", why);
    closeNow();
  }

  private void warn(String format, Object what) {
    long suppressed = logGate.tryPass(System.nanoTime());
    if (suppressed >= 0) {
      LOG.warn(
          format + " ({} similar lines left out)",
          ctx().channel().remoteAddress(),
          what,
          suppressed);
    }
  }

  private void sendError(int sequence, Form form, int error, String text) {
    ByteBuf frame =
        FrameHeader.ERROR_TEXT.encode(
            ctx().alloc(), FrameHeader.RESPONSE_BYTES, limits.maxBodyBytes(), text, form);
    FrameHeader.setResponse(frame, sequence, error);
    send(frame);
  }

  private void begin(Request<?, ?> request) {
    inFlight++;
    inFlightBytes += request.bodyBytes;
    counters.add(FrameCounter.IN_FLIGHT, 1);
  }

  private void finish(Request<?, ?> request) {
    if (isClosed()) {
      return;
    }
    boolean wasSaturated = saturated();
    inFlight--;
    inFlightBytes -= request.bodyBytes;
    counters.add(FrameCounter.IN_FLIGHT, -1);
    request.answer();
    if (wasSaturated) {
      proceedOrClose();
    } else {
      watch();
    }
  }

  /**
   * Closes the connection when nothing moves for a whole period although it is the peer's turn. The
   * timer runs only while it is.
   */
  private void watch() {
    if (watching || isClosed() || !peersTurn()) {
      return;
    }
    watching = true;
    watchedInsideFrame = insideFrame();
    watchedFrames = framesTaken;
    watchedUnsentBytes = ctx().channel().bytesBeforeWritable();
    ctx().executor().schedule(this::checkStall, limits.stallMillis(), TimeUnit.MILLISECONDS);
  }

  private boolean peersTurn() {
    return !ctx().channel().isWritable() || insideFrame();
  }

  private boolean insideFrame() {
    return hasUndecoded() && !saturated();
  }

  private void checkStall() {
    watching = false;
    if (isClosed() || !peersTurn()) {
      return;
    }
    boolean sameFrame = watchedInsideFrame && insideFrame() && framesTaken == watchedFrames;
    long unsentBytes = ctx().channel().bytesBeforeWritable();
    boolean notReading =
        unsentBytes > 0 && unsentBytes >= watchedUnsentBytes && watchedUnsentBytes > 0;
    if (sameFrame || notReading) {
      counters.add(FrameCounter.STALLED_CONNECTIONS, 1);
      warn(
          "closing the connection of {}: {}",
          notReading ? "it takes no answers" : "its frame does not end");
      closeNow();
      return;
    }
    watch();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    // The connection broke: an ordinary event. Anything else deserves a line.
    if (!(cause instanceof IOException)) {
      counters.add(FrameCounter.EXCEPTIONS, 1);
      warn("closing the connection of {}: {}", cause.toString());
    }
    closeNow();
  }

  /** One request from its decoding to its answer. */
  private static final class Request<Q, R> implements Completable<R>, Runnable {
    private final FrameServerHandler connection;
    private final Route<Q, R> route;
    private final Q arguments;
    private final int sequence;
    private final int bodyBytes;
    private final Form form;
    private @Nullable R result;
    private @Nullable Throwable failure;

    private Request(
        FrameServerHandler connection,
        Route<Q, R> route,
        Q arguments,
        int sequence,
        int bodyBytes) {
      this.connection = connection;
      this.route = route;
      this.arguments = arguments;
      this.sequence = sequence;
      this.bodyBytes = bodyBytes;
      this.form = connection.lastForm;
    }

    static <Q, R> Request<Q, R> decode(
        FrameServerHandler connection, Route<Q, R> route, int sequence, int bodyBytes, ByteBuf in) {
      Q arguments = route.call().request().decode(in);
      return new Request<>(connection, route, arguments, sequence, bodyBytes);
    }

    void serve() {
      Future<R> future;
      try {
        future = route.handler().apply(arguments, connection.gone);
      } catch (RuntimeException e) {
        failure = e;
        answer();
        return;
      }
      if (!future.isComplete()) {
        connection.begin(this);
        future.onComplete(this);
      } else if (future.succeeded()) {
        result = future.result();
        answer();
      } else {
        failure = future.cause();
        answer();
      }
    }

    @Override
    public void complete(@Nullable R value, @Nullable Throwable cause) {
      result = value;
      failure = cause;
      if (connection.ctx().executor().inEventLoop()) {
        connection.finish(this);
      } else {
        try {
          connection.ctx().executor().execute(this);
        } catch (RejectedExecutionException e) {
          // The loop has ended, and the connection with it: nobody waits for this answer.
          LOG.debug("the answer to {} came after its loop had ended", route.call());
        }
      }
    }

    @Override
    public void run() {
      connection.finish(this);
    }

    @SuppressWarnings("NullAway") // the result is null only for calls whose result is Void
    void answer() {
      Answer<R> answer = route.call().answer();
      ByteBuf frame;
      try {
        if (failure == null) {
          frame =
              answer.encode(
                  connection.ctx().alloc(),
                  FrameHeader.RESPONSE_BYTES,
                  connection.limits.maxBodyBytes(),
                  result,
                  form);
        } else if (failure instanceof StoreException known && answer.carriesFailures()) {
          connection.counters.add(FrameCounter.FAILED_CALLS, 1);
          frame =
              answer.encodeFailure(
                  connection.ctx().alloc(),
                  FrameHeader.RESPONSE_BYTES,
                  connection.limits.maxBodyBytes(),
                  known,
                  form);
        } else {
          answerFault(failure);
          return;
        }
      } catch (RuntimeException e) {
        answerFault(e);
        return;
      }
      FrameHeader.setResponse(frame, sequence, FrameHeader.NO_ERROR);
      connection.send(frame);
    }

    private void answerFault(Throwable fault) {
      connection.counters.add(FrameCounter.EXCEPTIONS, 1);
      long suppressed = connection.logGate.tryPass(System.nanoTime());
      if (suppressed >= 0) {
        LOG.error("{} failed ({} similar lines left out)", route.call(), suppressed, fault);
      }
      connection.sendError(
          sequence,
          form,
          FrameHeader.EXCEPTION,
          route.call() + " failed: see the log of the process that answered");
    }
  }
}
