package io.moonpool.client;

import io.moonpool.model.KeyBatch;
import io.moonpool.model.Outcome;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.LocatedObject;
import io.moonpool.protocol.call.NamedObjects;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks the master where objects are. Runs on the client's loop. */
final class Locator {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final MasterCalls master;
  private final LocationCache cache;

  Locator(MasterCalls master, LocationCache cache) {
    this.master = master;
    this.cache = cache;
  }

  /** A location from the cache. */
  @Nullable Location remembered(String tenant, String key) {
    return cache.find(tenant, key, System.nanoTime());
  }

  /** Asks for one object and leases it. */
  Future<Location> locate(String tenant, String key) {
    long stamp = cache.stamp(tenant, key);
    long askedNanos = System.nanoTime();
    return master
        .call(Calls.LOCATE, new NamedObjects(tenant, KeyBatch.of(key)))
        .compose(
            answers -> {
              Outcome<LocatedObject> outcome = Answers.only(answers);
              if (!outcome.ok()) {
                return Future.failedFuture(new StoreException(outcome.code()));
              }
              Location location = leased(outcome.get(), askedNanos);
              cache.keep(tenant, key, stamp, location);
              return Future.succeededFuture(location);
            });
  }

  /** Asks for a batch of objects and leases those that there are. */
  Future<List<Outcome<Location>>> locate(String tenant, List<String> keys) {
    long[] stamps = new long[keys.size()];
    for (int i = 0; i < stamps.length; i++) {
      stamps[i] = cache.stamp(tenant, keys.get(i));
    }
    long askedNanos = System.nanoTime();
    return master
        .call(Calls.LOCATE, new NamedObjects(tenant, KeyBatch.of(keys)))
        .map(
            answers -> {
              List<Outcome<Location>> locations = new ArrayList<>(keys.size());
              List<Outcome<LocatedObject>> outcomes = Answers.all(answers, keys.size());
              for (int i = 0; i < outcomes.size(); i++) {
                Outcome<LocatedObject> outcome = outcomes.get(i);
                if (!outcome.ok()) {
                  locations.add(Outcome.error(outcome.code()));
                  continue;
                }
                Location location = leased(outcome.get(), askedNanos);
                cache.keep(tenant, keys.get(i), stamps[i], location);
                locations.add(Outcome.of(location));
              }
              return locations;
            });
  }

  private static Location leased(LocatedObject object, long askedNanos) {
    return new Location(object, askedNanos + object.leaseMillis() * NANOS_PER_MILLI);
  }
}
