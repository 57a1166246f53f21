package io.moonpool.master.bus;

import io.moonpool.master.MasterOperations;
import io.moonpool.master.MasterStats;
import io.moonpool.master.drain.DrainOperations;
import io.moonpool.master.request.SegmentUnmount;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.bus.Addresses;
import io.moonpool.protocol.json.Fields;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the requests of other services on the public addresses; one consumer per address. They
 * are visible to the whole cluster when the bus is clustered.
 */
public final class BusVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(BusVerticle.class);

  private final MasterOperations master;
  private final DrainOperations drains;
  private final MasterStats stats;
  private final List<Future<Void>> registrations = new ArrayList<>();

  /** The public addresses of that master. */
  public BusVerticle(MasterOperations master, DrainOperations drains, MasterStats stats) {
    this.master = master;
    this.drains = drains;
    this.stats = stats;
  }

  @Override
  public Future<?> start() {
    BusObjects objects = new BusObjects(master);
    BusPool pool = new BusPool(master, stats, new SegmentUnmount(vertx, master));
    serve(Addresses.PUT_START, objects::putStart);
    serve(Addresses.UPSERT_START, objects::upsertStart);
    serve(Addresses.END, objects::end);
    serve(Addresses.REVOKE, objects::revoke);
    serve(Addresses.LOCATE, objects::locate);
    serve(Addresses.EXISTS, objects::exists);
    serve(Addresses.DESCRIBE, objects::describe);
    serve(Addresses.REMOVE, objects::remove);
    serve(Addresses.REMOVE_MATCHING, objects::removeMatching);
    serve(Addresses.LIST_OBJECTS, objects::list);
    serve(Addresses.LIST_SEGMENTS, pool::listSegments);
    serve(Addresses.UNMOUNT_SEGMENT, pool::unmountSegment);
    serve(Addresses.LIST_CLIENTS, pool::listClients);
    serve(Addresses.CLUSTER_SUMMARY, pool::summary);
    serveDrains(new BusDrains(drains));
    return Future.all(registrations);
  }

  private void serveDrains(BusDrains jobs) {
    serve(Addresses.CREATE_DRAIN, jobs::create);
    serve(Addresses.PLAN_DRAIN, jobs::plan);
    serve(Addresses.DESCRIBE_DRAIN, jobs::describe);
    serve(Addresses.LIST_DRAINS, jobs::list);
    serve(Addresses.CANCEL_DRAIN, jobs::cancel);
    serve(Addresses.UNDRAIN, jobs::undrain);
    serve(Addresses.MOVE_OBJECT, jobs::move);
    serve(Addresses.COPY_OBJECT, jobs::copy);
    serve(Addresses.DESCRIBE_TASK, jobs::describeTask);
    serve(Addresses.LIST_TASKS, jobs::listTasks);
  }

  private void serve(String address, Function<Fields, Future<JsonObject>> call) {
    MessageConsumer<Object> consumer =
        vertx
            .eventBus()
            .consumer(
                address,
                message ->
                    Future.succeededFuture(message)
                        .map(BusVerticle::fields)
                        .compose(call)
                        .onComplete(message::reply, failure -> fail(message, failure)));
    registrations.add(consumer.completion());
  }

  private static Fields fields(Message<Object> message) {
    @Nullable Object body = message.body();
    if (body == null) {
      return new Fields(new JsonObject());
    }
    if (body instanceof JsonObject json) {
      return new Fields(json);
    }
    throw new StoreException(ErrorCode.INVALID_PARAMS, "the body must be a JSON object");
  }

  private static void fail(Message<Object> message, Throwable failure) {
    StoreException known;
    if (failure instanceof StoreException e) {
      known = e;
    } else {
      LOG.error("a request to {} failed", message.address(), failure);
      known = new StoreException(ErrorCode.INTERNAL_ERROR);
    }
    message.fail(known.code().number(), known.sentence());
  }
}
