package io.moonpool.bench.master;

import io.moonpool.bench.heartbeat.HeartbeatPool;
import io.moonpool.model.KeyBatch;
import io.moonpool.protocol.grpc.BatchAnswer;
import io.moonpool.protocol.grpc.BatchEndRequest;
import io.moonpool.protocol.grpc.BatchExistsAnswer;
import io.moonpool.protocol.grpc.BatchLocateAnswer;
import io.moonpool.protocol.grpc.BatchNamedRequest;
import io.moonpool.protocol.grpc.BatchStartAnswer;
import io.moonpool.protocol.grpc.BatchStartRequest;
import io.moonpool.protocol.grpc.EndRequest;
import io.moonpool.protocol.grpc.NamedRequest;
import io.moonpool.protocol.grpc.ObjectsGrpcClient;
import io.moonpool.protocol.grpc.StartRequest;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import java.util.Collections;
import java.util.UUID;

/**
 * The operations through gRPC, over one connection; one key goes through the calls for one. Belongs
 * to the event loop that made it. Checksums are left out.
 */
final class GrpcOperations implements Operation.Calls {
  private final String writer = UUID.randomUUID().toString();
  private final ObjectsGrpcClient client;

  /** Call on the event loop that the operations are to run on. */
  GrpcOperations(Vertx vertx, String host, int port) {
    client =
        ObjectsGrpcClient.create(
            GrpcClient.client(vertx), SocketAddress.inetSocketAddress(port, host));
  }

  @Override
  public Future<Integer> put(KeyBatch keys) {
    if (keys.size() == 1) {
      String key = keys.text(0);
      return client
          .putStart(
              StartRequest.newBuilder()
                  .setWriter(writer)
                  .setKey(key)
                  .setSize(HeartbeatPool.OBJECT_BYTES)
                  .build())
          .compose(
              started ->
                  client.end(
                      EndRequest.newBuilder()
                          .setWriter(writer)
                          .setKey(key)
                          .setVersion(started.getVersion())
                          .build()))
          .map(ended -> 0);
    }
    return client
        .batchPutStart(
            BatchStartRequest.newBuilder()
                .setWriter(writer)
                .addAllKeys(keys.asList())
                .addAllSizes(Collections.nCopies(keys.size(), HeartbeatPool.OBJECT_BYTES))
                .build())
        .compose(started -> end(keys, started));
  }

  private Future<Integer> end(KeyBatch keys, BatchStartAnswer started) {
    BatchEndRequest.Builder request = BatchEndRequest.newBuilder().setWriter(writer);
    int failed = 0;
    for (int i = 0; i < keys.size(); i++) {
      BatchStartAnswer.Result result = started.getResults(i);
      if (result.hasStarted()) {
        request.addKeys(keys.text(i)).addVersions(result.getStarted().getVersion());
      } else {
        failed++;
      }
    }
    int refused = failed;
    return client.batchEnd(request.build()).map(answer -> refused + failures(answer));
  }

  private static int failures(BatchAnswer answer) {
    return (int) answer.getResultsList().stream().filter(BatchAnswer.Result::hasError).count();
  }

  @Override
  public Future<Integer> locate(KeyBatch keys) {
    return keys.size() == 1
        ? client
            .locate(NamedRequest.newBuilder().setKey(keys.text(0)).build())
            .map(located -> located.getReplicasCount() > 0 ? 0 : 1)
        : client.batchLocate(named(keys)).map(GrpcOperations::failures);
  }

  private static int failures(BatchLocateAnswer answer) {
    return (int)
        answer.getResultsList().stream().filter(BatchLocateAnswer.Result::hasError).count();
  }

  @Override
  public Future<Integer> exists(KeyBatch keys) {
    return keys.size() == 1
        ? client
            .exists(NamedRequest.newBuilder().setKey(keys.text(0)).build())
            .map(answer -> answer.getExists() ? 0 : 1)
        : client.batchExists(named(keys)).map(GrpcOperations::absent);
  }

  private static int absent(BatchExistsAnswer answer) {
    return (int) answer.getResultsList().stream().filter(each -> !each.getExists()).count();
  }

  private static BatchNamedRequest named(KeyBatch keys) {
    return BatchNamedRequest.newBuilder().addAllKeys(keys.asList()).build();
  }
}
