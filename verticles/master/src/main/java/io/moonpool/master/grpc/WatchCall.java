package io.moonpool.master.grpc;

import io.moonpool.master.drain.DrainOperations;
import io.moonpool.master.drain.DrainWatch;
import io.moonpool.protocol.grpc.DrainEvent;
import io.moonpool.protocol.grpc.DrainJobRequest;
import io.moonpool.protocol.grpc.DrainsGrpcService;
import io.vertx.core.Context;
import io.vertx.core.Timer;
import io.vertx.core.Vertx;
import io.vertx.grpc.common.GrpcMessage;
import io.vertx.grpc.server.GrpcServerRequest;
import io.vertx.grpc.server.GrpcServerResponse;
import org.jspecify.annotations.Nullable;

/**
 * One caller who watches a drain job: told all that happens to it until it has ended, or the caller
 * leaves. Who reads slowly misses figures, never a status. Everything happens on the context of the
 * call.
 */
final class WatchCall {
  private final DrainOperations drains;
  private final GrpcServerRequest<DrainJobRequest, DrainEvent> request;
  private final GrpcServerResponse<DrainJobRequest, DrainEvent> response;
  private final Context context;
  private @Nullable DrainWatch watch;
  private boolean called;
  private boolean over;

  /** A call; made on its context. */
  WatchCall(DrainOperations drains, GrpcServerRequest<DrainJobRequest, DrainEvent> request) {
    Context current = Vertx.currentContext();
    if (current == null) {
      throw new IllegalStateException("not on the context of a call");
    }
    this.context = current;
    this.drains = drains;
    this.request = request;
    this.response = request.response();
  }

  void serve() {
    request.errorHandler(cancelled -> leave());
    request.exceptionHandler(lost -> leave());
    request.invalidMessageHandler(
        tooLarge ->
            refuse(UnaryCall.invalid("the message is larger than this port reads: send less")));
    Timer deadline = request.deadline();
    if (deadline != null) {
      // The server ends the call when its deadline passes.
      deadline.onSuccess(passed -> leave());
    }
    request.messageHandler(this::begin);
    request.endHandler(
        end -> {
          if (!called) {
            refuse(UnaryCall.invalid("the call has no message: send one"));
          }
        });
  }

  private void begin(GrpcMessage message) {
    if (called) {
      return;
    }
    called = true;
    UnaryCall.decode(DrainsGrpcService.Watch, message)
        .map(DrainsCalls::id)
        .compose(id -> drains.watch(id, event -> context.runOnContext(now -> tell(event))))
        .onComplete(
            begun -> {
              if (over) {
                begun.stop();
              } else {
                watch = begun;
              }
            },
            this::refuse);
  }

  private void tell(io.moonpool.master.drain.DrainEvent event) {
    boolean figures = event.event().equals(io.moonpool.master.drain.DrainEvent.PROGRESS);
    if (over || (figures && response.writeQueueFull())) {
      return;
    }
    response.write(
        DrainEvent.newBuilder()
            .setEvent(event.event())
            .setJob(DrainProtoForms.job(event.job()))
            .build());
    if (event.job().status().terminal()) {
      leave();
      response.end();
    }
  }

  private void refuse(Throwable failure) {
    if (!over) {
      over = true;
      UnaryCall.refuse(DrainsGrpcService.Watch, response, failure);
    }
  }

  private void leave() {
    over = true;
    DrainWatch begun = watch;
    watch = null;
    if (begun != null) {
      begun.stop();
    }
  }
}
