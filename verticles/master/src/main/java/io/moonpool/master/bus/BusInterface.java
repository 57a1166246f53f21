package io.moonpool.master.bus;

import io.moonpool.master.MasterContext;
import io.moonpool.master.MasterInterface;
import io.vertx.core.Future;

/** The public addresses of the event bus as part of a master. */
public final class BusInterface implements MasterInterface {
  @Override
  public Kind kind() {
    return Kind.EVENT_BUS;
  }

  @Override
  public Future<Integer> start(MasterContext context) {
    BusVerticle verticle = new BusVerticle(context.operations(), context.drains(), context.stats());
    return context.vertx().deployVerticle(verticle).map(id -> 0);
  }
}
