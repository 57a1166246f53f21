package io.moonpool.master.grpc;

import com.google.protobuf.ByteString;
import io.moonpool.model.ClientInfo;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.SegmentInfo;
import io.moonpool.protocol.grpc.Checksum;
import io.moonpool.protocol.grpc.ChecksumKind;
import io.moonpool.protocol.grpc.Client;
import io.moonpool.protocol.grpc.ClientState;
import io.moonpool.protocol.grpc.Endpoint;
import io.moonpool.protocol.grpc.Error;
import io.moonpool.protocol.grpc.LocatedObject;
import io.moonpool.protocol.grpc.ObjectDataType;
import io.moonpool.protocol.grpc.ObjectInfo;
import io.moonpool.protocol.grpc.Replica;
import io.moonpool.protocol.grpc.ReplicaStatus;
import io.moonpool.protocol.grpc.ReplicaType;
import io.moonpool.protocol.grpc.Segment;
import io.moonpool.protocol.grpc.SegmentKind;
import io.moonpool.protocol.grpc.SegmentStatus;
import io.moonpool.protocol.grpc.StartedObject;
import java.util.List;

/** Model and answers as messages. The numbers of constants are the same on both sides. */
final class ProtoForms {
  private ProtoForms() {}

  static Error error(ErrorCode code) {
    return Error.newBuilder()
        .setCode(code.number())
        .setName(code.name())
        .setMessage(code.sentence())
        .build();
  }

  static StartedObject started(io.moonpool.protocol.call.StartedObject started) {
    return StartedObject.newBuilder()
        .setVersion(started.version())
        .addAllReplicas(replicas(started.replicas()))
        .build();
  }

  static LocatedObject located(io.moonpool.protocol.call.LocatedObject located) {
    return LocatedObject.newBuilder()
        .setVersion(located.version())
        .setSize(located.size())
        .setLeaseMillis(located.leaseMillis())
        .setChecksum(checksum(located.checksum()))
        .addAllReplicas(replicas(located.replicas()))
        .build();
  }

  static ObjectInfo object(io.moonpool.model.ObjectInfo object) {
    return ObjectInfo.newBuilder()
        .setTenant(object.tenant())
        .setKey(object.key())
        .setSize(object.size())
        .setVersion(object.version())
        .setChecksum(checksum(object.checksum()))
        .setLeaseRemainingMillis(object.leaseRemainingMillis())
        .setSoftPinRemainingMillis(object.softPinRemainingMillis())
        .setHardPinned(object.hardPinned())
        .setDataType(ObjectDataType.forNumber(object.dataType().number()))
        .setGroup(object.group())
        .addAllReplicas(replicas(object.replicas()))
        .build();
  }

  static Segment segment(SegmentInfo segment) {
    Segment.Builder message =
        Segment.newBuilder()
            .setId(segment.spec().id().toString())
            .setName(segment.spec().name())
            .setKind(SegmentKind.forNumber(segment.spec().kind().number()))
            .setGeneration(segment.generation())
            .setNodeId(segment.nodeId().toString())
            .setHostId(segment.spec().hostId())
            .setStatus(SegmentStatus.forNumber(segment.status().number()))
            .setOwnerState(ClientState.forNumber(segment.ownerState().number()))
            .setSize(segment.spec().size())
            .setUsed(segment.usedBytes());
    segment
        .spec()
        .endpoints()
        .forEach(
            endpoint ->
                message.addEndpoints(
                    Endpoint.newBuilder()
                        .setTransport(endpoint.transport())
                        .setRegionDescriptor(ByteString.copyFrom(endpoint.descriptor()))));
    return message.build();
  }

  static Client client(ClientInfo client) {
    return Client.newBuilder()
        .setNodeId(client.nodeId().toString())
        .setIncarnation(client.incarnation())
        .setHostId(client.hostId())
        .setAddress(client.address())
        .setState(ClientState.forNumber(client.state().number()))
        .setSilentMillis(client.silentMillis())
        .setSegments(client.segments())
        .build();
  }

  private static List<Replica> replicas(List<ReplicaDescriptor> replicas) {
    return replicas.stream()
        .map(
            replica ->
                Replica.newBuilder()
                    .setId(replica.id())
                    .setType(ReplicaType.forNumber(replica.type().number()))
                    .setStatus(ReplicaStatus.forNumber(replica.status().number()))
                    .setGeneration(replica.generation())
                    .setOffset(replica.offset())
                    .setSize(replica.size())
                    .build())
        .toList();
  }

  static Checksum checksum(io.moonpool.model.Checksum checksum) {
    Checksum.Builder message =
        Checksum.newBuilder()
            .setKind(ChecksumKind.forNumber(checksum.kind().number()))
            .setValue(checksum.value());
    for (int block : checksum.blocks()) {
      message.addBlocks(block);
    }
    return message.build();
  }
}
