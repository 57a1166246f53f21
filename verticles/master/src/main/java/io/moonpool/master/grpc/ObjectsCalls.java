package io.moonpool.master.grpc;

import com.google.protobuf.Descriptors;
import io.moonpool.master.MasterOperations;
import io.moonpool.master.request.KeySelection;
import io.moonpool.master.request.Limits;
import io.moonpool.master.request.SingleKey;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.Outcome;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.EndObjects;
import io.moonpool.protocol.call.ListObjects;
import io.moonpool.protocol.call.NamedObjects;
import io.moonpool.protocol.call.RemoveMatching;
import io.moonpool.protocol.call.RemoveObjects;
import io.moonpool.protocol.call.RevokeObjects;
import io.moonpool.protocol.call.StartObjects;
import io.moonpool.protocol.grpc.BatchNamedRequest;
import io.moonpool.protocol.grpc.EndAnswer;
import io.moonpool.protocol.grpc.EndRequest;
import io.moonpool.protocol.grpc.ExistsAnswer;
import io.moonpool.protocol.grpc.ListObjectsAnswer;
import io.moonpool.protocol.grpc.ListObjectsRequest;
import io.moonpool.protocol.grpc.NamedRequest;
import io.moonpool.protocol.grpc.ObjectsGrpcService;
import io.moonpool.protocol.grpc.RemoveAnswer;
import io.moonpool.protocol.grpc.RemoveMatchingAnswer;
import io.moonpool.protocol.grpc.RemoveMatchingRequest;
import io.moonpool.protocol.grpc.RemoveRequest;
import io.moonpool.protocol.grpc.RevokeAnswer;
import io.moonpool.protocol.grpc.RevokeRequest;
import io.moonpool.protocol.grpc.StartRequest;
import io.vertx.core.Future;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.Service;
import java.util.List;

/** The service {@code moonpool.v1.Objects}; its batches are in {@link ObjectBatches}. */
final class ObjectsCalls implements Service {
  private final MasterOperations master;

  ObjectsCalls(MasterOperations master) {
    this.master = master;
  }

  @Override
  public ServiceName name() {
    return ObjectsGrpcService.SERVICE_NAME;
  }

  @Override
  public Descriptors.ServiceDescriptor descriptor() {
    return ObjectsGrpcService.SERVICE_DESCRIPTOR;
  }

  @Override
  public void bind(GrpcServer server) {
    UnaryCall.bind(
        server,
        ObjectsGrpcService.PutStart,
        request -> master.putStart(start(request)).map(o -> ProtoForms.started(only(o))));
    UnaryCall.bind(
        server,
        ObjectsGrpcService.UpsertStart,
        request -> master.upsertStart(start(request)).map(o -> ProtoForms.started(only(o))));
    UnaryCall.bind(server, ObjectsGrpcService.End, this::end);
    UnaryCall.bind(server, ObjectsGrpcService.Revoke, this::revoke);
    UnaryCall.bind(
        server,
        ObjectsGrpcService.Locate,
        request -> master.locate(named(request)).map(o -> ProtoForms.located(only(o))));
    UnaryCall.bind(
        server,
        ObjectsGrpcService.Exists,
        request ->
            master
                .exists(named(request))
                .map(o -> ExistsAnswer.newBuilder().setExists(only(o)).build()));
    UnaryCall.bind(
        server,
        ObjectsGrpcService.Describe,
        request -> master.describe(named(request)).map(o -> ProtoForms.object(only(o))));
    UnaryCall.bind(server, ObjectsGrpcService.Remove, this::remove);
    UnaryCall.bind(server, ObjectsGrpcService.RemoveMatching, this::removeMatching);
    UnaryCall.bind(server, ObjectsGrpcService.List, this::list);
    new ObjectBatches(master).bind(server);
  }

  private static StartObjects start(StartRequest request) {
    return new StartObjects(
        ProtoRequests.uuid("writer", request.getWriter()),
        request.getTenant(),
        SingleKey.of(request.getKey()),
        new long[] {request.getSize()},
        ProtoRequests.config(request.getConfig()));
  }

  private Future<EndAnswer> end(EndRequest request) {
    return master
        .end(
            new EndObjects(
                ProtoRequests.uuid("writer", request.getWriter()),
                request.getTenant(),
                SingleKey.of(request.getKey()),
                new long[] {request.getVersion()},
                List.of(ProtoRequests.checksum(request.getChecksum()))))
        .map(
            outcomes -> {
              done(outcomes);
              return EndAnswer.getDefaultInstance();
            });
  }

  private Future<RevokeAnswer> revoke(RevokeRequest request) {
    return master
        .revoke(
            new RevokeObjects(
                ProtoRequests.uuid("writer", request.getWriter()),
                request.getTenant(),
                SingleKey.of(request.getKey()),
                new long[] {request.getVersion()}))
        .map(
            outcomes -> {
              done(outcomes);
              return RevokeAnswer.getDefaultInstance();
            });
  }

  private Future<RemoveAnswer> remove(RemoveRequest request) {
    return master
        .remove(
            new RemoveObjects(
                request.getTenant(), SingleKey.of(request.getKey()), request.getForce()))
        .map(
            outcomes -> {
              done(outcomes);
              return RemoveAnswer.getDefaultInstance();
            });
  }

  private Future<RemoveMatchingAnswer> removeMatching(RemoveMatchingRequest request) {
    String selection =
        KeySelection.toRemove(request.getPattern(), request.getPrefix(), request.getAll());
    return master
        .removeMatching(new RemoveMatching(request.getTenant(), selection, request.getForce()))
        .map(removed -> RemoveMatchingAnswer.newBuilder().setRemoved(removed).build());
  }

  private Future<ListObjectsAnswer> list(ListObjectsRequest request) {
    int limit =
        Limits.checkPage(request.hasLimit() ? request.getLimit() : Limits.DEFAULT_PAGE_OBJECTS);
    String selection = KeySelection.toList(request.getPattern(), request.getPrefix());
    return master
        .list(new ListObjects(request.getTenant(), selection, request.getCursor(), limit))
        .map(
            page ->
                ListObjectsAnswer.newBuilder()
                    .addAllObjects(page.objects().stream().map(ProtoForms::object).toList())
                    .setNextCursor(page.nextCursor())
                    .build());
  }

  private static NamedObjects named(NamedRequest request) {
    return new NamedObjects(request.getTenant(), SingleKey.of(request.getKey()));
  }

  static NamedObjects named(BatchNamedRequest request) {
    Limits.checkBatch(request.getKeysCount());
    return new NamedObjects(request.getTenant(), KeyBatch.of(request.getKeysList()));
  }

  private static <T> T only(List<Outcome<T>> outcomes) {
    return outcomes.get(0).get();
  }

  private static void done(List<Outcome<Void>> outcomes) {
    if (!outcomes.get(0).ok()) {
      throw new StoreException(outcomes.get(0).code());
    }
  }
}
