package io.moonpool.bench.master;

import io.moonpool.bench.heartbeat.HeartbeatPool;
import io.moonpool.bench.heartbeat.MasterUnderTest;
import io.moonpool.model.Checksum;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.Outcome;
import io.moonpool.model.ReplicateConfig;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.EndObjects;
import io.moonpool.protocol.call.NamedObjects;
import io.moonpool.protocol.call.StartObjects;
import io.moonpool.protocol.call.StartedObject;
import io.moonpool.protocol.frame.FrameClient;
import io.moonpool.protocol.frame.FrameClientOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

/** The operations as frames, over one connection. Belongs to the event loop that made it. */
final class FrameOperations implements Operation.Calls {
  private static final Checksum CHECKSUM = Checksum.crc32c(0x6d6f6f6e);

  private final UUID writer = UUID.randomUUID();
  private final FrameClient client;

  /** Call on the event loop that the operations are to run on. */
  FrameOperations(Vertx vertx, MasterUnderTest master) {
    client = FrameClient.create(vertx, FrameClientOptions.of(master.host(), master.rpcPort()));
  }

  @Override
  public Future<Integer> put(KeyBatch keys) {
    long[] sizes = new long[keys.size()];
    Arrays.fill(sizes, HeartbeatPool.OBJECT_BYTES);
    return client
        .call(Calls.PUT_START, new StartObjects(writer, "", keys, sizes, ReplicateConfig.DEFAULT))
        .compose(started -> end(keys, started));
  }

  private Future<Integer> end(KeyBatch keys, List<Outcome<StartedObject>> started) {
    int count = started.size();
    long[] versions = new long[count];
    KeyBatch ended = keys;
    int failed = Outcomes.failures(started);
    if (failed == 0) {
      for (int i = 0; i < count; i++) {
        versions[i] = started.get(i).get().version();
      }
    } else {
      ended = new KeyBatch(count);
      for (int i = 0; i < count; i++) {
        if (started.get(i).ok()) {
          versions[ended.size()] = started.get(i).get().version();
          ended.add(keys.bytes(), keys.offset(i), keys.length(i));
        }
      }
      if (ended.size() == 0) {
        return Future.succeededFuture(failed);
      }
      versions = Arrays.copyOf(versions, ended.size());
    }
    List<Checksum> checksums = Collections.nCopies(ended.size(), CHECKSUM);
    return client
        .call(Calls.END, new EndObjects(writer, "", ended, versions, checksums))
        .map(done -> failed + Outcomes.failures(done));
  }

  @Override
  public Future<Integer> locate(KeyBatch keys) {
    return client.call(Calls.LOCATE, new NamedObjects("", keys)).map(Outcomes::failures);
  }

  @Override
  public Future<Integer> exists(KeyBatch keys) {
    return client.call(Calls.EXISTS, new NamedObjects("", keys)).map(Outcomes::absent);
  }
}
