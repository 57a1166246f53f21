package io.moonpool.bench.master;

import io.moonpool.bench.heartbeat.HeartbeatPool;
import io.moonpool.bench.heartbeat.MasterUnderTest;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.Outcome;
import io.moonpool.model.ReplicaType;
import io.moonpool.protocol.frame.FrameClient;
import io.moonpool.protocol.frame.FrameClientOptions;
import io.moonpool.protocol.mooncake.ObjectCalls;
import io.moonpool.protocol.mooncake.ObjectMessages;
import io.moonpool.protocol.mooncake.WriteConfig;
import io.moonpool.protocol.wire.Form;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * The operations as clients of Mooncake make them, over one connection: one key goes through the
 * calls for one, and requests carry their literals as those of the published clients do. Belongs to
 * the event loop that made it. Checksums are left out: those clients give none unless they are told
 * to.
 */
final class MooncakeOperations implements Operation.Calls {
  private static final String TENANT = "default";
  private static final int MEMORY = ReplicaType.MEMORY.number();

  /** One replica in memory, anywhere. */
  private static final WriteConfig CONFIG =
      new WriteConfig(
          1,
          0,
          0,
          0,
          OptionalLong.empty(),
          false,
          List.of(),
          "",
          List.of(),
          false,
          0,
          "",
          Optional.empty());

  private final UUID id = UUID.randomUUID();
  private final FrameClient client;

  /** Call on the event loop that the operations are to run on. */
  MooncakeOperations(Vertx vertx, MasterUnderTest master) {
    client =
        FrameClient.create(
            vertx, FrameClientOptions.of(master.host(), master.rpcPort()).withForm(Form.LITERAL));
  }

  @Override
  public Future<Integer> put(KeyBatch keys) {
    if (keys.size() == 1) {
      byte[] key = key(keys, 0);
      return client
          .call(
              ObjectCalls.PUT_START,
              new ObjectMessages.Start(id, key, HeartbeatPool.OBJECT_BYTES, CONFIG, TENANT))
          .compose(
              replicas ->
                  client.call(
                      ObjectCalls.PUT_END,
                      new ObjectMessages.End(id, written(key), MEMORY, TENANT)))
          .map(ended -> 0);
    }
    long[] sizes = new long[keys.size()];
    Arrays.fill(sizes, HeartbeatPool.OBJECT_BYTES);
    return client
        .call(
            ObjectCalls.BATCH_PUT_START,
            new ObjectMessages.BatchStart(id, keys, sizes, CONFIG, TENANT))
        .compose(started -> end(keys, started));
  }

  private <T> Future<Integer> end(KeyBatch keys, List<Outcome<T>> started) {
    List<ObjectMessages.Written> written = new ArrayList<>(keys.size());
    for (int i = 0; i < started.size(); i++) {
      if (started.get(i).ok()) {
        written.add(written(key(keys, i)));
      }
    }
    int failed = started.size() - written.size();
    return written.isEmpty()
        ? Future.succeededFuture(failed)
        : client
            .call(
                ObjectCalls.BATCH_PUT_END, new ObjectMessages.BatchEnd(id, written, MEMORY, TENANT))
            .map(ended -> failed + Outcomes.failures(ended));
  }

  private static ObjectMessages.Written written(byte[] key) {
    return new ObjectMessages.Written(key, OptionalLong.empty());
  }

  private static byte[] key(KeyBatch keys, int at) {
    int from = keys.offset(at);
    return Arrays.copyOfRange(keys.bytes(), from, from + keys.length(at));
  }

  @Override
  public Future<Integer> locate(KeyBatch keys) {
    return keys.size() == 1
        ? client
            .call(ObjectCalls.GET_REPLICA_LIST, new ObjectMessages.Key(key(keys, 0), TENANT))
            .map(located -> located.replicas().isEmpty() ? 1 : 0)
        : client
            .call(ObjectCalls.BATCH_GET_REPLICA_LIST, new ObjectMessages.Keys(keys, TENANT))
            .map(Outcomes::failures);
  }

  @Override
  public Future<Integer> exists(KeyBatch keys) {
    return keys.size() == 1
        ? client
            .call(ObjectCalls.EXIST_KEY, new ObjectMessages.Key(key(keys, 0), TENANT))
            .map(exists -> exists ? 0 : 1)
        : client
            .call(ObjectCalls.BATCH_EXIST_KEY, new ObjectMessages.Keys(keys, TENANT))
            .map(Outcomes::absent);
  }
}
