package io.moonpool.gateway.handler;

import io.moonpool.gateway.client.MooncakeClient;
import io.moonpool.gateway.client.MooncakeClients;
import io.moonpool.gateway.segment.SegmentAddresses;
import io.moonpool.master.MasterOperations;
import io.moonpool.master.api.CallTable;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.MooncakeEndpoint;
import io.moonpool.model.Outcome;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentSpec;
import io.moonpool.model.SegmentStatus;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.DescribeSegments;
import io.moonpool.protocol.call.MountSegments;
import io.moonpool.protocol.call.UnmountSegment;
import io.moonpool.protocol.frame.LogGate;
import io.moonpool.protocol.mooncake.SegmentCalls;
import io.moonpool.protocol.mooncake.SegmentMessages.GracefulUnmount;
import io.moonpool.protocol.mooncake.SegmentMessages.Mount;
import io.moonpool.protocol.mooncake.SegmentMessages.ReMount;
import io.moonpool.protocol.mooncake.SegmentMessages.Segment;
import io.moonpool.protocol.mooncake.SegmentMessages.Unmount;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Segments that Mooncake's clients lend. They announce memory by its address: the master's
 * locations are offsets from there.
 */
public final class SegmentHandlers {
  private static final Logger LOG = LoggerFactory.getLogger(SegmentHandlers.class);

  /** The protocol of memory that is shared by hardware, which is not offered here. */
  private static final String CXL = "cxl";

  /** Of names and endpoints, in characters. Every reader of an object is told them. */
  private static final int MAX_TEXT = 1_024;

  /** Segments that are mounted at once; the owner of the segments does others' work in between. */
  private static final int PIECE = 256;

  private final MasterOperations operations;
  private final MooncakeClients clients;

  /** Guarded by itself, since calls come on several loops. */
  private final LogGate refusals = new LogGate();

  /** Handlers that carry calls out by these operations. */
  public SegmentHandlers(MasterOperations operations, MooncakeClients clients) {
    this.operations = operations;
    this.clients = clients;
  }

  /** Adds them to a listener. */
  public void addTo(CallTable calls) {
    calls
        .onLong(SegmentCalls.MOUNT_SEGMENT, this::mount)
        .onLong(SegmentCalls.RE_MOUNT_SEGMENT, this::mountAgain)
        .on(SegmentCalls.UNMOUNT_SEGMENT, this::unmount)
        .on(SegmentCalls.GRACEFUL_UNMOUNT_SEGMENT, this::unmountLater)
        .on(SegmentCalls.QUERY_SEGMENT_STATUS, this::statusOfName)
        .on(SegmentCalls.QUERY_SEGMENT_STATUS_BY_ID, this::statusOfId)
        .on(SegmentCalls.BATCH_QUERY_IP, this::hosts);
  }

  private Future<Void> mount(Mount request, BooleanSupplier callerGone) {
    SegmentSpec spec;
    try {
      spec = spec(request.segment());
    } catch (StoreException e) {
      return Future.failedFuture(e);
    }
    return clients
        .as(
            request.client(),
            request.segment().hostId(),
            client -> mount(client, List.of(spec), callerGone))
        .compose(mounted -> check(mounted.getFirst().code()));
  }

  private Future<List<Outcome<Long>>> mount(
      MooncakeClient client, List<SegmentSpec> segments, BooleanSupplier callerGone) {
    return operations.mountSegments(
        new MountSegments(client.id(), client.incarnation(), segments), callerGone);
  }

  /**
   * Mounts what a client has. What cannot be mounted however often it is tried is left out, as in
   * the reference; anything else fails the call, and the client tries again.
   */
  private Future<Void> mountAgain(ReMount request, BooleanSupplier callerGone) {
    List<SegmentSpec> specs = new ArrayList<>(request.segments().size());
    String refusal = "";
    for (Segment segment : request.segments()) {
      try {
        specs.add(spec(segment));
      } catch (StoreException e) {
        refusal = String.valueOf(e.getMessage());
      }
    }
    if (!refusal.isEmpty() && mayLog()) {
      // However many they are: one line.
      LOG.warn(
          "client {} cannot mount {} of its segments again, the last of them since {}",
          request.client(),
          request.segments().size() - specs.size(),
          refusal);
    }
    String hostId =
        request.segments().stream()
            .map(Segment::hostId)
            .filter(Predicate.not(String::isEmpty))
            .findFirst()
            .orElse("");
    return clients.as(
        request.client(),
        hostId,
        client ->
            mountInPieces(client, specs, callerGone)
                .compose(
                    mounted -> {
                      ErrorCode worst = worst(mounted);
                      if (worst == ErrorCode.OK) {
                        client.ready();
                      }
                      return check(worst);
                    }));
  }

  /** Once a second, on whichever loop. */
  private boolean mayLog() {
    synchronized (refusals) {
      return refusals.tryPass(System.nanoTime()) >= 0;
    }
  }

  private Future<List<Outcome<Long>>> mountInPieces(
      MooncakeClient client, List<SegmentSpec> segments, BooleanSupplier callerGone) {
    if (segments.size() <= PIECE) {
      return mount(client, segments, callerGone);
    }
    return mount(client, segments.subList(0, PIECE), callerGone)
        .compose(
            first ->
                mountInPieces(client, segments.subList(PIECE, segments.size()), callerGone)
                    .map(later -> Stream.concat(first.stream(), later.stream()).toList()));
  }

  private static ErrorCode worst(List<Outcome<Long>> mounted) {
    return mounted.stream()
        .map(Outcome::code)
        .filter(code -> code != ErrorCode.OK && code != ErrorCode.INVALID_PARAMS)
        .findFirst()
        .orElse(ErrorCode.OK);
  }

  private static SegmentSpec spec(Segment segment) {
    if (segment.base() == 0 || segment.size() == 0) {
      throw new StoreException(
          ErrorCode.INVALID_PARAMS, "a segment has the address or the size 0: announce both");
    }
    // As addresses, they have no sign.
    if (Long.compareUnsigned(segment.base() + segment.size() - 1, segment.base()) < 0) {
      throw new StoreException(
          ErrorCode.INVALID_PARAMS, "the segment ends behind the last address there is");
    }
    if (Stream.of(segment.name(), segment.endpoint(), segment.protocol(), segment.hostId())
        .anyMatch(text -> text.length() > MAX_TEXT)) {
      throw new StoreException(
          ErrorCode.INVALID_PARAMS,
          "name, endpoint, protocol and host of a segment have at most "
              + MAX_TEXT
              + " characters each");
    }
    if (segment.protocol().indexOf(' ') >= 0) {
      throw new StoreException(ErrorCode.INVALID_PARAMS, "no protocol has a space in its name");
    }
    if (segment.protocol().equals(CXL)) {
      throw new StoreException(
          ErrorCode.UNAVAILABLE_IN_CURRENT_MODE, "segments of CXL memory are not offered here");
    }
    MooncakeEndpoint endpoint =
        new MooncakeEndpoint(
            segment.base(),
            segment.protocol().isEmpty() ? MooncakeEndpoint.TCP : segment.protocol(),
            segment.endpoint().isEmpty() ? segment.name() : segment.endpoint());
    return SegmentSpec.memory(
        segment.id(),
        segment.name(),
        segment.size(),
        segment.hostId(),
        List.of(endpoint.toEndpoint()));
  }

  private Future<Void> unmount(Unmount request) {
    MooncakeClient client = clients.find(request.client());
    if (client == null) {
      // Nothing of it is mounted, or no more for long.
      return Future.succeededFuture();
    }
    return operations.unmountSegment(
        new UnmountSegment(client.id(), client.incarnation(), request.segment(), 0));
  }

  private Future<Void> unmountLater(GracefulUnmount request) {
    MooncakeClient client = clients.find(request.client());
    if (client == null) {
      return Future.failedFuture(new StoreException(ErrorCode.SEGMENT_NOT_FOUND));
    }
    return find(segment -> segment.spec().id().equals(request.segment()))
        .compose(
            segment -> {
              if (!segment.nodeId().equals(client.id())) {
                return check(ErrorCode.INVALID_PARAMS);
              }
              // It completes when the segment is gone, and fails at once: whoever asks afterwards
              // is told by the same owner, so behind it.
              Future<Void> gone =
                  operations.unmountSegment(
                      new UnmountSegment(
                          client.id(),
                          client.incarnation(),
                          request.segment(),
                          Math.max(0, request.graceMillis())));
              return operations
                  .describeSegments(new DescribeSegments(new long[] {segment.generation()}))
                  .compose(
                      described ->
                          gone.failed()
                              ? Future.failedFuture(gone.cause())
                              : Future.succeededFuture());
            });
  }

  private Future<Integer> statusOfName(String name) {
    return find(segment -> segment.spec().name().equals(name))
        .map(segment -> segment.status().number());
  }

  private Future<Integer> statusOfId(UUID id) {
    return find(segment -> segment.spec().id().equals(id))
        .map(segment -> segment.status().number());
  }

  /** The last segment that is; one on its way out only when there is no other. */
  private Future<SegmentInfo> find(Predicate<SegmentInfo> wanted) {
    return operations
        .describeSegments(new DescribeSegments(new long[0]))
        .compose(
            segments -> {
              SegmentInfo found = null;
              for (SegmentInfo segment : segments) {
                boolean better = found == null || segment.status() != SegmentStatus.UNMOUNTING;
                if (segment.spec().kind() == SegmentKind.MEMORY && wanted.test(segment) && better) {
                  found = segment;
                }
              }
              return found == null
                  ? Future.failedFuture(new StoreException(ErrorCode.SEGMENT_NOT_FOUND))
                  : Future.succeededFuture(found);
            });
  }

  private Future<Map<UUID, List<String>>> hosts(List<UUID> ids) {
    Set<UUID> wanted = new HashSet<>(ids);
    return operations
        .describeSegments(new DescribeSegments(new long[0]))
        .map(
            segments -> {
              Map<UUID, List<String>> hosts = new LinkedHashMap<>();
              for (SegmentInfo segment : segments) {
                MooncakeEndpoint endpoint =
                    wanted.contains(segment.nodeId()) ? SegmentAddresses.read(segment) : null;
                if (endpoint != null) {
                  List<String> known =
                      hosts.computeIfAbsent(segment.nodeId(), ignored -> new ArrayList<>());
                  String host = host(endpoint.endpoint());
                  if (!known.contains(host)) {
                    known.add(host);
                  }
                }
              }
              return hosts;
            });
  }

  private static String host(String endpoint) {
    int colon = endpoint.lastIndexOf(':');
    return colon < 0 ? endpoint : endpoint.substring(0, colon);
  }

  private static Future<Void> check(ErrorCode code) {
    return code == ErrorCode.OK
        ? Future.succeededFuture()
        : Future.failedFuture(new StoreException(code));
  }
}
