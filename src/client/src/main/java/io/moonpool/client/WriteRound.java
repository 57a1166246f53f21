package io.moonpool.client;

import io.moonpool.model.Checksum;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.Outcome;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.Call;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.EndObjects;
import io.moonpool.protocol.call.RevokeObjects;
import io.moonpool.protocol.call.StartObjects;
import io.moonpool.protocol.call.StartedObject;
import io.vertx.core.Future;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One round of writes: start, write all replicas of all objects at once, end. The checksums are
 * computed while the master and the transports work. Objects that could not be written everywhere
 * are revoked. Runs on the client's loop.
 */
final class WriteRound {
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final Logger LOG = LoggerFactory.getLogger(WriteRound.class);

  private final ClientCore core;
  private final String tenant;
  private final List<String> keys;
  private final List<MemorySegment> values;
  private final WriteOptions options;
  private final long[] avoided;
  private final @Nullable Throwable[] failures;

  /** Generations of segments that bytes did not arrive at. */
  private final Set<Long> unreachable = new LinkedHashSet<>();

  /** Writes that the master has started; null where it has not, or where nothing is to be done. */
  private final @Nullable StartedObject[] started;

  /**
   * A round.
   *
   * @param values one per key
   * @param avoided generations of segments whose nodes are not to be used
   */
  WriteRound(
      ClientCore core,
      String tenant,
      List<String> keys,
      List<MemorySegment> values,
      WriteOptions options,
      long[] avoided) {
    this.core = core;
    this.tenant = tenant;
    this.keys = keys;
    this.values = values;
    this.options = options;
    this.avoided = avoided;
    this.failures = new Throwable[keys.size()];
    this.started = new StartedObject[keys.size()];
  }

  /**
   * Writes.
   *
   * @param start {@link Calls#PUT_START} or {@link Calls#UPSERT_START}
   * @return one failure per key, null for those that were written; fails when the start call did
   */
  Future<@Nullable Throwable[]> run(Call<StartObjects, List<Outcome<StartedObject>>> start) {
    long[] sizes = new long[keys.size()];
    long total = 0;
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = values.get(i).byteSize();
      total += sizes[i];
    }
    forgetLocations();
    long deadlineNanos =
        System.nanoTime() + core.master().master().writeGrantMillis() * NANOS_PER_MILLI;
    Future<List<Outcome<StartedObject>>> answers =
        core.master()
            .call(
                start,
                new StartObjects(
                    core.writer(), tenant, KeyBatch.of(keys), sizes, options.replicate(), avoided));
    Future<List<Checksum>> sums = core.sums().of(values, total);
    return answers
        .compose(outcomes -> transfer(Answers.all(outcomes, keys.size()), deadlineNanos))
        .compose(transferred -> sums)
        .compose(this::finish)
        .map(failures)
        .onComplete(done -> forgetLocations());
  }

  /** Generations of segments that bytes did not arrive at, once the round is over. */
  Set<Long> unreachable() {
    return unreachable;
  }

  private void forgetLocations() {
    for (String key : keys) {
      core.locations().forget(tenant, key);
    }
  }

  private Future<Void> transfer(List<Outcome<StartedObject>> outcomes, long deadlineNanos) {
    List<Future<Void>> transfers = new ArrayList<>(outcomes.size());
    for (int i = 0; i < outcomes.size(); i++) {
      int item = i;
      Outcome<StartedObject> outcome = outcomes.get(i);
      if (!outcome.ok()) {
        if (outcome.code() != ErrorCode.OBJECT_ALREADY_EXISTS || !options.ignoreExisting()) {
          failures[i] = new StoreException(outcome.code());
        }
        continue;
      }
      StartedObject object = outcome.get();
      started[i] = object;
      for (ReplicaDescriptor replica : object.replicas()) {
        Future<Void> put = put(values.get(i), replica, deadlineNanos);
        transfers.add(
            put.onFailure(
                failure -> {
                  if (StoreException.codeOf(failure) == ErrorCode.TRANSFER_FAIL) {
                    unreachable.add(replica.generation());
                  }
                  if (failures[item] == null) {
                    failures[item] = failure;
                  }
                }));
      }
    }
    // All of them, failed or not: nothing may read the values once this round is over.
    return switch (transfers.size()) {
      case 0 -> Future.succeededFuture();
      case 1 -> transfers.getFirst().otherwiseEmpty();
      default -> Future.join(transfers).<Void>mapEmpty().otherwiseEmpty();
    };
  }

  private Future<Void> put(MemorySegment value, ReplicaDescriptor replica, long deadlineNanos) {
    ReachableSegment segment = core.segments().known(replica.generation());
    if (segment != null) {
      return segment.put(value, replica.offset(), deadlineNanos);
    }
    return core.segments()
        .find(replica.generation())
        .compose(found -> found.put(value, replica.offset(), deadlineNanos));
  }

  private Future<Void> finish(List<Checksum> sums) {
    Picked written = new Picked(keys.size());
    Picked broken = new Picked(keys.size());
    for (int i = 0; i < started.length; i++) {
      StartedObject object = started[i];
      if (object != null) {
        (failures[i] == null ? written : broken).add(i, object.version());
      }
    }
    Future<Void> revoked = broken.isEmpty() ? Future.succeededFuture() : revoke(broken);
    Future<Void> ended = written.isEmpty() ? Future.succeededFuture() : end(written, sums);
    return broken.isEmpty() ? ended : Future.join(revoked, ended).mapEmpty();
  }

  private Future<Void> end(Picked written, List<Checksum> sums) {
    List<Checksum> picked = new ArrayList<>(written.count());
    for (int i = 0; i < written.count(); i++) {
      Checksum sum = sums.get(written.index(i));
      picked.add(options.manifest() ? ValueSums.asManifest(sum) : sum);
    }
    EndObjects request =
        new EndObjects(core.writer(), tenant, written.keys(), written.versions(), picked);
    return core.master()
        .call(Calls.END, request)
        .recover(
            failure ->
                // The answer may have been lost with the connection; ending twice is the same.
                StoreException.codeOf(failure) == ErrorCode.RPC_FAIL
                    ? core.master().call(Calls.END, request)
                    : Future.failedFuture(failure))
        .transform(
            answer -> {
              if (answer.failed()) {
                written.fail(answer.cause());
                return Future.succeededFuture();
              }
              List<Outcome<Void>> outcomes = Answers.all(answer.result(), written.count());
              for (int i = 0; i < outcomes.size(); i++) {
                if (!outcomes.get(i).ok()) {
                  failures[written.index(i)] = new StoreException(outcomes.get(i).code());
                }
              }
              return Future.succeededFuture();
            });
  }

  private Future<Void> revoke(Picked broken) {
    return core.master()
        .call(
            Calls.REVOKE,
            new RevokeObjects(core.writer(), tenant, broken.keys(), broken.versions()))
        .onFailure(
            failure ->
                LOG.info(
                    "{} failed writes could not be revoked; the master discards them later",
                    broken.count(),
                    failure))
        .<Void>mapEmpty()
        .otherwiseEmpty();
  }

  /** Some of the round's writes, as the end and revoke calls want them. */
  private final class Picked {
    private final KeyBatch batch;
    private final int[] indices;
    private final long[] versions;
    private int count;

    Picked(int expected) {
      this.batch = new KeyBatch(expected);
      this.indices = new int[expected];
      this.versions = new long[expected];
    }

    void add(int index, long version) {
      batch.add(keys.get(index));
      versions[count] = version;
      indices[count++] = index;
    }

    boolean isEmpty() {
      return count == 0;
    }

    int count() {
      return count;
    }

    int index(int i) {
      return indices[i];
    }

    KeyBatch keys() {
      return batch;
    }

    long[] versions() {
      return Arrays.copyOf(versions, count);
    }

    void fail(Throwable failure) {
      for (int i = 0; i < count; i++) {
        failures[indices[i]] = failure;
      }
    }
  }
}
