package io.moonpool.master.grpc;

import io.moonpool.master.MasterOperations;
import io.moonpool.master.request.Limits;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.Outcome;
import io.moonpool.protocol.call.EndObjects;
import io.moonpool.protocol.call.RemoveObjects;
import io.moonpool.protocol.call.RevokeObjects;
import io.moonpool.protocol.call.StartObjects;
import io.moonpool.protocol.grpc.BatchAnswer;
import io.moonpool.protocol.grpc.BatchDescribeAnswer;
import io.moonpool.protocol.grpc.BatchEndRequest;
import io.moonpool.protocol.grpc.BatchExistsAnswer;
import io.moonpool.protocol.grpc.BatchLocateAnswer;
import io.moonpool.protocol.grpc.BatchNamedRequest;
import io.moonpool.protocol.grpc.BatchRemoveRequest;
import io.moonpool.protocol.grpc.BatchRevokeRequest;
import io.moonpool.protocol.grpc.BatchStartAnswer;
import io.moonpool.protocol.grpc.BatchStartRequest;
import io.moonpool.protocol.grpc.ObjectsGrpcService;
import io.vertx.core.Future;
import io.vertx.grpc.server.GrpcServer;
import java.util.List;

/** The batches of the service {@code moonpool.v1.Objects}: one result per item, in order. */
final class ObjectBatches {
  private final MasterOperations master;

  ObjectBatches(MasterOperations master) {
    this.master = master;
  }

  void bind(GrpcServer server) {
    UnaryCall.bind(
        server,
        ObjectsGrpcService.BatchPutStart,
        request -> master.putStart(start(request)).map(ObjectBatches::started));
    UnaryCall.bind(
        server,
        ObjectsGrpcService.BatchUpsertStart,
        request -> master.upsertStart(start(request)).map(ObjectBatches::started));
    UnaryCall.bind(server, ObjectsGrpcService.BatchEnd, this::end);
    UnaryCall.bind(server, ObjectsGrpcService.BatchRevoke, this::revoke);
    UnaryCall.bind(server, ObjectsGrpcService.BatchLocate, this::locate);
    UnaryCall.bind(server, ObjectsGrpcService.BatchExists, this::exists);
    UnaryCall.bind(server, ObjectsGrpcService.BatchDescribe, this::describe);
    UnaryCall.bind(server, ObjectsGrpcService.BatchRemove, this::remove);
  }

  private static StartObjects start(BatchStartRequest request) {
    Limits.checkBatch(request.getKeysCount());
    Limits.checkPerKey("sizes", request.getSizesCount(), request.getKeysCount());
    return new StartObjects(
        ProtoRequests.uuid("writer", request.getWriter()),
        request.getTenant(),
        KeyBatch.of(request.getKeysList()),
        ProtoRequests.longs(request.getSizesList()),
        ProtoRequests.config(request.getConfig()));
  }

  private static BatchStartAnswer started(
      List<Outcome<io.moonpool.protocol.call.StartedObject>> outcomes) {
    BatchStartAnswer.Builder answer = BatchStartAnswer.newBuilder();
    for (Outcome<io.moonpool.protocol.call.StartedObject> outcome : outcomes) {
      BatchStartAnswer.Result.Builder result = answer.addResultsBuilder();
      if (outcome.ok()) {
        result.setStarted(ProtoForms.started(outcome.get()));
      } else {
        result.setError(ProtoForms.error(outcome.code()));
      }
    }
    return answer.build();
  }

  private Future<BatchAnswer> end(BatchEndRequest request) {
    int keys = request.getKeysCount();
    Limits.checkBatch(keys);
    Limits.checkPerKey("versions", request.getVersionsCount(), keys);
    if (request.getChecksumsCount() > 0) {
      Limits.checkPerKey("checksums", request.getChecksumsCount(), keys);
    }
    return master
        .end(
            new EndObjects(
                ProtoRequests.uuid("writer", request.getWriter()),
                request.getTenant(),
                KeyBatch.of(request.getKeysList()),
                ProtoRequests.longs(request.getVersionsList()),
                ProtoRequests.checksums(request.getChecksumsList(), keys)))
        .map(ObjectBatches::done);
  }

  private Future<BatchAnswer> revoke(BatchRevokeRequest request) {
    Limits.checkBatch(request.getKeysCount());
    Limits.checkPerKey("versions", request.getVersionsCount(), request.getKeysCount());
    return master
        .revoke(
            new RevokeObjects(
                ProtoRequests.uuid("writer", request.getWriter()),
                request.getTenant(),
                KeyBatch.of(request.getKeysList()),
                ProtoRequests.longs(request.getVersionsList())))
        .map(ObjectBatches::done);
  }

  private Future<BatchAnswer> remove(BatchRemoveRequest request) {
    Limits.checkBatch(request.getKeysCount());
    return master
        .remove(
            new RemoveObjects(
                request.getTenant(), KeyBatch.of(request.getKeysList()), request.getForce()))
        .map(ObjectBatches::done);
  }

  private Future<BatchLocateAnswer> locate(BatchNamedRequest request) {
    return master
        .locate(ObjectsCalls.named(request))
        .map(
            outcomes -> {
              BatchLocateAnswer.Builder answer = BatchLocateAnswer.newBuilder();
              for (Outcome<io.moonpool.protocol.call.LocatedObject> outcome : outcomes) {
                BatchLocateAnswer.Result.Builder result = answer.addResultsBuilder();
                if (outcome.ok()) {
                  result.setLocated(ProtoForms.located(outcome.get()));
                } else {
                  result.setError(ProtoForms.error(outcome.code()));
                }
              }
              return answer.build();
            });
  }

  private Future<BatchExistsAnswer> exists(BatchNamedRequest request) {
    return master
        .exists(ObjectsCalls.named(request))
        .map(
            outcomes -> {
              BatchExistsAnswer.Builder answer = BatchExistsAnswer.newBuilder();
              for (Outcome<Boolean> outcome : outcomes) {
                BatchExistsAnswer.Result.Builder result = answer.addResultsBuilder();
                if (outcome.ok()) {
                  result.setExists(outcome.get());
                } else {
                  result.setError(ProtoForms.error(outcome.code()));
                }
              }
              return answer.build();
            });
  }

  private Future<BatchDescribeAnswer> describe(BatchNamedRequest request) {
    return master
        .describe(ObjectsCalls.named(request))
        .map(
            outcomes -> {
              BatchDescribeAnswer.Builder answer = BatchDescribeAnswer.newBuilder();
              for (Outcome<io.moonpool.model.ObjectInfo> outcome : outcomes) {
                BatchDescribeAnswer.Result.Builder result = answer.addResultsBuilder();
                if (outcome.ok()) {
                  result.setObject(ProtoForms.object(outcome.get()));
                } else {
                  result.setError(ProtoForms.error(outcome.code()));
                }
              }
              return answer.build();
            });
  }

  private static BatchAnswer done(List<Outcome<Void>> outcomes) {
    BatchAnswer.Builder answer = BatchAnswer.newBuilder();
    for (Outcome<Void> outcome : outcomes) {
      BatchAnswer.Result.Builder result = answer.addResultsBuilder();
      if (!outcome.ok()) {
        result.setError(ProtoForms.error(outcome.code()));
      }
    }
    return answer.build();
  }
}
