package io.moonpool.master.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.master.admin.FakeMaster;
import io.moonpool.protocol.grpc.BatchEndRequest;
import io.moonpool.protocol.grpc.BatchNamedRequest;
import io.moonpool.protocol.grpc.BatchRemoveRequest;
import io.moonpool.protocol.grpc.BatchRevokeRequest;
import io.moonpool.protocol.grpc.BatchStartAnswer;
import io.moonpool.protocol.grpc.BatchStartRequest;
import io.moonpool.protocol.grpc.Checksum;
import io.moonpool.protocol.grpc.ChecksumKind;
import io.moonpool.protocol.grpc.ClientsGrpcClient;
import io.moonpool.protocol.grpc.ClusterGrpcClient;
import io.moonpool.protocol.grpc.EndRequest;
import io.moonpool.protocol.grpc.ListClientsRequest;
import io.moonpool.protocol.grpc.ListObjectsAnswer;
import io.moonpool.protocol.grpc.ListObjectsRequest;
import io.moonpool.protocol.grpc.ListSegmentsRequest;
import io.moonpool.protocol.grpc.LocatedObject;
import io.moonpool.protocol.grpc.NamedRequest;
import io.moonpool.protocol.grpc.ObjectDataType;
import io.moonpool.protocol.grpc.ObjectInfo;
import io.moonpool.protocol.grpc.ObjectsGrpcClient;
import io.moonpool.protocol.grpc.RemoveMatchingRequest;
import io.moonpool.protocol.grpc.RemoveRequest;
import io.moonpool.protocol.grpc.ReplicaStatus;
import io.moonpool.protocol.grpc.ReplicateConfig;
import io.moonpool.protocol.grpc.RevokeRequest;
import io.moonpool.protocol.grpc.Segment;
import io.moonpool.protocol.grpc.SegmentsGrpcClient;
import io.moonpool.protocol.grpc.StartRequest;
import io.moonpool.protocol.grpc.StartedObject;
import io.moonpool.protocol.grpc.SummaryAnswer;
import io.moonpool.protocol.grpc.SummaryRequest;
import io.moonpool.protocol.grpc.UnmountRequest;
import io.vertx.grpc.common.GrpcStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The services of {@code moonpool.v1}. */
class ObjectsCallsTest {
  private static final String WRITER = new UUID(7, 8).toString();

  private GrpcFixture grpc;
  private FakeMaster master;

  @BeforeEach
  void start() {
    grpc = new GrpcFixture();
    master = grpc.master;
  }

  @AfterEach
  void stop() {
    grpc.close();
  }

  private static StartRequest start(String key, long size) {
    return StartRequest.newBuilder().setWriter(WRITER).setKey(key).setSize(size).build();
  }

  private static NamedRequest named(String key) {
    return NamedRequest.newBuilder().setKey(key).build();
  }

  @Test
  void putsReadsAndRemovesAnObject() {
    StartRequest request =
        start("kv/1", 100).toBuilder()
            .setConfig(
                ReplicateConfig.newBuilder()
                    .setHardPin(true)
                    .setDataType(ObjectDataType.OBJECT_DATA_TYPE_KVCACHE)
                    .addGroupIds("g"))
            .build();
    StartedObject started = grpc.call(ObjectsGrpcClient.PutStart, request).answer();
    assertThat(started.getReplicas(0).getStatus())
        .isEqualTo(ReplicaStatus.REPLICA_STATUS_PROCESSING);
    assertThat(grpc.call(ObjectsGrpcClient.Locate, named("kv/1")).errorName())
        .isEqualTo("REPLICA_IS_NOT_READY");

    Checksum checksum =
        Checksum.newBuilder()
            .setKind(ChecksumKind.CHECKSUM_KIND_CRC32C)
            .setValue(0xFFFF_FFFFL)
            .addBlocks(0xFFFF_FFFE)
            .build();
    EndRequest end =
        EndRequest.newBuilder()
            .setWriter(WRITER)
            .setKey("kv/1")
            .setVersion(started.getVersion())
            .setChecksum(checksum)
            .build();
    assertThat(grpc.call(ObjectsGrpcClient.End, end).status()).isEqualTo(GrpcStatus.OK);

    LocatedObject located = grpc.call(ObjectsGrpcClient.Locate, named("kv/1")).answer();
    assertThat(located.getVersion()).isEqualTo(started.getVersion());
    assertThat(located.getSize()).isEqualTo(100);
    assertThat(located.getLeaseMillis()).isEqualTo(10_000);
    assertThat(located.getChecksum()).isEqualTo(checksum);
    assertThat(located.getReplicas(0).getGeneration()).isEqualTo(FakeMaster.GENERATION);

    ObjectInfo described = grpc.call(ObjectsGrpcClient.Describe, named("kv/1")).answer();
    assertThat(described.getTenant()).isEqualTo("default");
    assertThat(described.getHardPinned()).isTrue();
    assertThat(described.getDataType()).isEqualTo(ObjectDataType.OBJECT_DATA_TYPE_KVCACHE);
    assertThat(described.getGroup()).isEqualTo("g");
    assertThat(grpc.call(ObjectsGrpcClient.Exists, named("kv/1")).answer().getExists()).isTrue();

    RemoveRequest remove = RemoveRequest.newBuilder().setKey("kv/1").build();
    master.lease("kv/1");
    assertThat(grpc.call(ObjectsGrpcClient.Remove, remove).status())
        .isEqualTo(GrpcStatus.FAILED_PRECONDITION);
    assertThat(
            grpc.call(ObjectsGrpcClient.Remove, remove.toBuilder().setForce(true).build()).status())
        .isEqualTo(GrpcStatus.OK);
    assertThat(grpc.call(ObjectsGrpcClient.Exists, named("kv/1")).answer().getExists()).isFalse();
  }

  @Test
  void namesErrorsInStatusAndDetails() {
    GrpcFixture.Ended<ObjectInfo> missing = grpc.call(ObjectsGrpcClient.Describe, named("none"));
    assertThat(missing.status()).isEqualTo(GrpcStatus.NOT_FOUND);
    assertThat(missing.message())
        .isEqualTo("no such object: check key and tenant, or put it first");
    assertThat(missing.error().getReason()).isEqualTo("OBJECT_NOT_FOUND");
    assertThat(missing.error().getDomain()).isEqualTo("moonpool");
    assertThat(missing.error().getMetadataMap()).containsEntry("code", "-704");

    master.with("there");
    assertThat(grpc.call(ObjectsGrpcClient.PutStart, start("there", 1)).status())
        .isEqualTo(GrpcStatus.ALREADY_EXISTS);
    assertThat(grpc.call(ObjectsGrpcClient.PutStart, start("big", 1L << 40)).status())
        .isEqualTo(GrpcStatus.RESOURCE_EXHAUSTED);
    assertThat(grpc.call(ObjectsGrpcClient.PutStart, start("zero", 0)).errorName())
        .isEqualTo("INVALID_PARAMS");
    assertThat(grpc.call(ObjectsGrpcClient.PutStart, start("", 1)).errorName())
        .isEqualTo("INVALID_KEY");
    StartRequest unknownTenant = start("k", 1).toBuilder().setTenant("blue").build();
    assertThat(grpc.call(ObjectsGrpcClient.PutStart, unknownTenant).errorName())
        .isEqualTo("TENANT_NOT_REGISTERED");
  }

  @Test
  void onlyTheWriterEndsAndRevokes() {
    StartedObject started = grpc.call(ObjectsGrpcClient.PutStart, start("k", 1)).answer();
    RevokeRequest revoke =
        RevokeRequest.newBuilder()
            .setWriter(new UUID(9, 9).toString())
            .setKey("k")
            .setVersion(started.getVersion())
            .build();
    assertThat(grpc.call(ObjectsGrpcClient.Revoke, revoke).status())
        .isEqualTo(GrpcStatus.PERMISSION_DENIED);
    RevokeRequest own = revoke.toBuilder().setWriter(WRITER).build();
    assertThat(
            grpc.call(
                    ObjectsGrpcClient.Revoke,
                    own.toBuilder().setVersion(started.getVersion() + 1).build())
                .errorName())
        .isEqualTo("INVALID_WRITE");
    assertThat(grpc.call(ObjectsGrpcClient.Revoke, own).status()).isEqualTo(GrpcStatus.OK);
    assertThat(master.has("", "k")).isFalse();
  }

  @Test
  void upsertsWhatExists() {
    master.with("k");
    assertThat(grpc.call(ObjectsGrpcClient.UpsertStart, start("k", 5)).status())
        .isEqualTo(GrpcStatus.OK);
  }

  @Test
  void answersBatchesItemByItem() {
    master.with("b");
    BatchStartRequest request =
        BatchStartRequest.newBuilder()
            .setWriter(WRITER)
            .addAllKeys(List.of("a", "b", "c"))
            .addAllSizes(List.of(10L, 10L, 0L))
            .build();
    BatchStartAnswer started = grpc.call(ObjectsGrpcClient.BatchPutStart, request).answer();
    assertThat(started.getResults(0).getStarted().getReplicasCount()).isEqualTo(1);
    assertThat(started.getResults(1).getError().getName()).isEqualTo("OBJECT_ALREADY_EXISTS");
    assertThat(started.getResults(1).getError().getCode()).isEqualTo(-705);
    assertThat(started.getResults(2).getError().getName()).isEqualTo("INVALID_PARAMS");

    long version = started.getResults(0).getStarted().getVersion();
    BatchEndRequest end =
        BatchEndRequest.newBuilder()
            .setWriter(WRITER)
            .addAllKeys(List.of("a", "none"))
            .addAllVersions(List.of(version, 1L))
            .build();
    var ended = grpc.call(ObjectsGrpcClient.BatchEnd, end).answer();
    assertThat(ended.getResults(0).hasError()).isFalse();
    assertThat(ended.getResults(1).getError().getName()).isEqualTo("OBJECT_NOT_FOUND");

    BatchNamedRequest named = BatchNamedRequest.newBuilder().addKeys("a").addKeys("none").build();
    var located = grpc.call(ObjectsGrpcClient.BatchLocate, named).answer();
    assertThat(located.getResults(0).getLocated().getVersion()).isEqualTo(version);
    assertThat(located.getResults(1).getError().getName()).isEqualTo("OBJECT_NOT_FOUND");
    var exists = grpc.call(ObjectsGrpcClient.BatchExists, named).answer();
    assertThat(exists.getResults(0).getExists()).isTrue();
    assertThat(exists.getResults(1).getExists()).isFalse();
    assertThat(exists.getResults(1).hasError()).isFalse();
    var described = grpc.call(ObjectsGrpcClient.BatchDescribe, named).answer();
    assertThat(described.getResults(0).getObject().getKey()).isEqualTo("a");
    assertThat(described.getResults(1).hasError()).isTrue();

    BatchStartAnswer upserted = grpc.call(ObjectsGrpcClient.BatchUpsertStart, request).answer();
    BatchRevokeRequest revoke =
        BatchRevokeRequest.newBuilder()
            .setWriter(WRITER)
            .addAllKeys(List.of("a", "b"))
            .addAllVersions(List.of(upserted.getResults(0).getStarted().getVersion(), 1L))
            .build();
    var revoked = grpc.call(ObjectsGrpcClient.BatchRevoke, revoke).answer();
    assertThat(revoked.getResults(0).hasError()).isFalse();
    assertThat(revoked.getResults(1).getError().getName()).isEqualTo("INVALID_WRITE");

    BatchRemoveRequest remove = BatchRemoveRequest.newBuilder().addKeys("b").addKeys("x").build();
    var removed = grpc.call(ObjectsGrpcClient.BatchRemove, remove).answer();
    assertThat(removed.getResults(0).hasError()).isFalse();
    assertThat(removed.getResults(1).hasError()).isTrue();
  }

  @Test
  void refusesBatchesThatDoNotFitTogether() {
    BatchStartRequest sizes =
        BatchStartRequest.newBuilder()
            .setWriter(WRITER)
            .addKeys("a")
            .addKeys("b")
            .addSizes(1)
            .build();
    assertThat(grpc.call(ObjectsGrpcClient.BatchPutStart, sizes).message())
        .isEqualTo("sizes must have one entry per key: 2, not 1");
    BatchEndRequest checksums =
        BatchEndRequest.newBuilder()
            .setWriter(WRITER)
            .addAllKeys(List.of("a", "b"))
            .addAllVersions(List.of(1L, 2L))
            .addChecksums(Checksum.getDefaultInstance())
            .build();
    assertThat(grpc.call(ObjectsGrpcClient.BatchEnd, checksums).message())
        .isEqualTo("checksums must have one entry per key: 2, not 1");
    assertThat(
            grpc.call(ObjectsGrpcClient.BatchLocate, BatchNamedRequest.getDefaultInstance())
                .message())
        .startsWith("a batch has 1 to 1000 keys, this one has 0");
    BatchNamedRequest.Builder tooMany = BatchNamedRequest.newBuilder();
    for (int i = 0; i <= 1_000; i++) {
      tooMany.addKeys("k" + i);
    }
    assertThat(grpc.call(ObjectsGrpcClient.BatchExists, tooMany.build()).status())
        .isEqualTo(GrpcStatus.INVALID_ARGUMENT);
  }

  @Test
  void listsAndRemovesBySelection() {
    for (int i = 0; i < 12; i++) {
      master.with("kv/" + i);
    }
    master.with("other");
    List<String> keys = new ArrayList<>();
    long cursor = 0;
    do {
      ListObjectsAnswer page =
          grpc.call(
                  ObjectsGrpcClient.List,
                  ListObjectsRequest.newBuilder()
                      .setPrefix("kv/")
                      .setLimit(5)
                      .setCursor(cursor)
                      .build())
              .answer();
      page.getObjectsList().forEach(o -> keys.add(o.getKey()));
      cursor = page.getNextCursor();
    } while (cursor != 0);
    assertThat(keys).hasSize(12).doesNotHaveDuplicates();

    for (ListObjectsRequest wrong :
        List.of(
            ListObjectsRequest.newBuilder().setLimit(0).build(),
            ListObjectsRequest.newBuilder().setLimit(1_001).build(),
            ListObjectsRequest.newBuilder().setPattern("(").build())) {
      assertThat(grpc.call(ObjectsGrpcClient.List, wrong).errorName()).isEqualTo("INVALID_PARAMS");
    }
    for (RemoveMatchingRequest wrong :
        List.of(
            RemoveMatchingRequest.getDefaultInstance(),
            RemoveMatchingRequest.newBuilder().setAll(false).build(),
            RemoveMatchingRequest.newBuilder().setPrefix("").build())) {
      assertThat(grpc.call(ObjectsGrpcClient.RemoveMatching, wrong).errorName())
          .isEqualTo("INVALID_PARAMS");
    }
    RemoveMatchingRequest two = RemoveMatchingRequest.newBuilder().setPattern("1.$").build();
    assertThat(grpc.call(ObjectsGrpcClient.RemoveMatching, two).answer().getRemoved()).isEqualTo(2);
    RemoveMatchingRequest all = RemoveMatchingRequest.newBuilder().setAll(true).build();
    assertThat(grpc.call(ObjectsGrpcClient.RemoveMatching, all).answer().getRemoved())
        .isEqualTo(11);
  }

  @Test
  void refusesWhatItDoesNotKnow() {
    assertThat(
            grpc.call(ObjectsGrpcClient.PutStart, start("k", 1).toBuilder().setWriter("me").build())
                .message())
        .isEqualTo("writer must be a UUID of 36 characters");
    StartRequest unknown =
        start("k", 1).toBuilder()
            .setConfig(ReplicateConfig.newBuilder().setDataTypeValue(77))
            .build();
    assertThat(grpc.call(ObjectsGrpcClient.PutStart, unknown).message())
        .isEqualTo("data_type has a value that this master does not know");
    StartRequest none =
        start("k", 1).toBuilder().setConfig(ReplicateConfig.newBuilder().setReplicaNum(0)).build();
    assertThat(grpc.call(ObjectsGrpcClient.PutStart, none).errorName()).isEqualTo("INVALID_PARAMS");
  }

  @Test
  void listsSegmentsAndUnmountsOne() {
    Segment segment =
        grpc.call(SegmentsGrpcClient.List, ListSegmentsRequest.getDefaultInstance())
            .answer()
            .getSegments(0);
    assertThat(segment.getId()).isEqualTo(FakeMaster.SEGMENT.toString());
    assertThat(segment.getGeneration()).isEqualTo(FakeMaster.GENERATION);
    assertThat(segment.getEndpoints(0).getTransport()).isEqualTo("tcp");
    assertThat(segment.getEndpoints(0).getRegionDescriptor().toByteArray())
        .containsExactly(1, 0xff);
    assertThat(
            grpc.call(
                    SegmentsGrpcClient.List,
                    ListSegmentsRequest.newBuilder().addGenerations(5).build())
                .answer()
                .getSegmentsCount())
        .isZero();

    UnmountRequest unmount = UnmountRequest.newBuilder().setSegmentId(segment.getId()).build();
    assertThat(
            grpc.call(SegmentsGrpcClient.Unmount, unmount.toBuilder().setGraceMillis(-1).build())
                .errorName())
        .isEqualTo("INVALID_PARAMS");
    assertThat(grpc.call(SegmentsGrpcClient.Unmount, unmount).answer().getComplete()).isTrue();
    assertThat(grpc.call(SegmentsGrpcClient.Unmount, unmount).errorName())
        .isEqualTo("SEGMENT_NOT_FOUND");
  }

  @Test
  void listsClientsAndSumsUp() {
    var client =
        grpc.call(ClientsGrpcClient.List, ListClientsRequest.getDefaultInstance())
            .answer()
            .getClients(0);
    assertThat(client.getNodeId()).isEqualTo(FakeMaster.NODE.toString());
    assertThat(client.getIncarnation()).isEqualTo(FakeMaster.INCARNATION);
    SummaryAnswer summary =
        grpc.call(ClusterGrpcClient.Summary, SummaryRequest.getDefaultInstance()).answer();
    assertThat(summary.getClusterId()).isEqualTo("fake-cluster");
    assertThat(summary.getMasterEpoch()).isEqualTo(1L << 55);
    assertThat(summary.getObjects()).isEqualTo(1_001);
    assertThat(summary.getClients()).isEqualTo(6);
  }
}
