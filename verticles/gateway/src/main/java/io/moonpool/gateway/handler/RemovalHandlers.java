package io.moonpool.gateway.handler;

import io.moonpool.master.MasterConfig;
import io.moonpool.master.MasterOperations;
import io.moonpool.master.api.CallTable;
import io.moonpool.model.Outcome;
import io.moonpool.model.StoreException;
import io.moonpool.model.Tenants;
import io.moonpool.protocol.call.RemoveMatching;
import io.moonpool.protocol.call.RemoveObjects;
import io.moonpool.protocol.mooncake.ObjectCalls;
import io.moonpool.protocol.mooncake.ObjectMessages;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Removals, of keys and of what matches. */
public final class RemovalHandlers {
  private static final String ALL = "";

  private final MasterConfig config;
  private final MasterOperations operations;

  /** Handlers that carry calls out by these operations. */
  public RemovalHandlers(MasterConfig config, MasterOperations operations) {
    this.config = config;
    this.operations = operations;
  }

  /** Adds them to a listener. */
  public void addTo(CallTable calls) {
    calls
        .on(ObjectCalls.REMOVE, this::remove)
        .on(ObjectCalls.BATCH_REMOVE, this::removeEach)
        .onLong(ObjectCalls.REMOVE_BY_REGEX, this::removeMatching)
        .onLong(ObjectCalls.REMOVE_ALL, this::removeAll);
  }

  private Future<Void> remove(ObjectMessages.Remove request) {
    return Outcomes.only(
        operations.remove(
            new RemoveObjects(request.tenant(), Outcomes.batch(request.key()), request.force())));
  }

  private Future<List<Outcome<Void>>> removeEach(ObjectMessages.BatchRemove request) {
    return Outcomes.each(
        request.keys().size(),
        operations.remove(new RemoveObjects(request.tenant(), request.keys(), request.force())));
  }

  private Future<Long> removeMatching(ObjectMessages.Remove request, BooleanSupplier callerGone) {
    String pattern = new String(request.key(), StandardCharsets.UTF_8);
    return operations.removeMatching(
        new RemoveMatching(request.tenant(), pattern, request.force()), callerGone);
  }

  /** Its answer is a count and nothing else: where nothing can be removed it is 0. */
  private Future<Long> removeAll(ObjectMessages.RemoveAll request, BooleanSupplier callerGone) {
    return removeAll(request.tenant(), request.force(), callerGone);
  }

  /**
   * Removes all objects.
   *
   * @param tenant empty for all tenants
   * @param force also those under a lease
   * @param callerGone whether nobody waits for the count any more
   */
  public Future<Long> removeAll(String tenant, boolean force, BooleanSupplier callerGone) {
    Set<String> tenants = new LinkedHashSet<>();
    if (!tenant.isEmpty()) {
      tenants.add(tenant);
    } else {
      tenants.add(Tenants.DEFAULT);
      if (config.multiTenants()) {
        tenants.addAll(config.tenants());
      }
    }
    Future<Long> removed = Future.succeededFuture(0L);
    for (String each : tenants) {
      removed =
          removed.compose(before -> removeOf(each, force, callerGone).map(count -> before + count));
    }
    return removed;
  }

  private Future<Long> removeOf(String tenant, boolean force, BooleanSupplier callerGone) {
    return operations
        .removeMatching(new RemoveMatching(tenant, ALL, force), callerGone)
        .recover(
            failure ->
                failure instanceof StoreException
                    ? Future.succeededFuture(0L)
                    : Future.failedFuture(failure));
  }
}
