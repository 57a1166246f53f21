package io.moonpool.master.drain;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentStatus;
import io.moonpool.model.StoreException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The segments that a request means: what is emptied, and where its objects may go.
 *
 * <p>The disk of a node is emptied with the node, when it is named, and with the last memory
 * segment of the node that is not drained or being drained: without memory to read into and serve
 * from, a node has no use for what is on its disk.
 */
record DrainChoice(List<SegmentInfo> sources, List<SegmentInfo> targets) {
  /**
   * Chooses.
   *
   * @param jobOf the live job that has a segment among its sources; null for none
   * @throws StoreException as {@link DrainOperations#createJob}
   */
  static DrainChoice of(
      DrainRequest request, NamedSegments known, Function<UUID, @Nullable UUID> jobOf) {
    Map<UUID, SegmentInfo> sources = new LinkedHashMap<>();
    if (!request.node().isEmpty()) {
      addNode(known.node(request.node()), request.node(), known, sources);
    }
    for (String name : request.segments()) {
      SegmentInfo segment = known.segment(name);
      if (sources.put(segment.spec().id(), segment) != null) {
        throw new StoreException(
            ErrorCode.INVALID_PARAMS, "segment '" + name + "' is named twice: name it once");
      }
    }
    addDisks(known, sources);
    for (SegmentInfo source : sources.values()) {
      checkSource(source, jobOf);
    }
    List<SegmentInfo> targets = new ArrayList<>();
    for (String name : request.targetSegments()) {
      targets.add(target(known.segment(name), sources));
    }
    return new DrainChoice(memoryFirst(sources), List.copyOf(targets));
  }

  private static void addNode(
      UUID node, String name, NamedSegments known, Map<UUID, SegmentInfo> sources) {
    for (SegmentInfo segment : known.segments()) {
      if (segment.nodeId().equals(node)) {
        sources.put(segment.spec().id(), segment);
      }
    }
    if (sources.isEmpty()) {
      throw new StoreException(
          ErrorCode.SEGMENT_NOT_FOUND,
          "node '" + name + "' has no segment: nothing is to be drained");
    }
  }

  /** Adds the disks of nodes that are left without memory. */
  private static void addDisks(NamedSegments known, Map<UUID, SegmentInfo> sources) {
    for (SegmentInfo disk : known.segments()) {
      if (disk.spec().kind() != SegmentKind.LOCAL_DISK
          || sources.containsKey(disk.spec().id())
          || disk.status() == SegmentStatus.DRAINED
          || disk.status() == SegmentStatus.UNMOUNTING) {
        continue;
      }
      boolean lasts = false;
      boolean drained = false;
      for (SegmentInfo segment : known.segments()) {
        if (segment.spec().kind() == SegmentKind.MEMORY && segment.nodeId().equals(disk.nodeId())) {
          boolean mine = sources.containsKey(segment.spec().id());
          drained |= mine;
          lasts |= !mine && segment.status() == SegmentStatus.OK;
        }
      }
      if (drained && !lasts) {
        sources.put(disk.spec().id(), disk);
      }
    }
  }

  private static void checkSource(SegmentInfo source, Function<UUID, @Nullable UUID> jobOf) {
    String name = source.spec().name();
    UUID job = jobOf.apply(source.spec().id());
    if (job != null) {
      throw unavailable(
          "segment " + name + " is being drained by job " + job + ": wait, or cancel it");
    }
    switch (source.status()) {
      case OK, DRAINING, DRAINED -> {}
      case GRACEFULLY_UNMOUNTING, UNMOUNTING, UNDEFINED ->
          throw unavailable(
              "segment "
                  + name
                  + " is "
                  + source.status()
                  + ": only one that stays can be drained");
    }
  }

  private static SegmentInfo target(SegmentInfo target, Map<UUID, SegmentInfo> sources) {
    String name = target.spec().name();
    if (sources.containsKey(target.spec().id())) {
      throw new StoreException(
          ErrorCode.INVALID_PARAMS,
          "segment " + name + " is both drained and a target: name another target");
    }
    return memoryTarget(target);
  }

  /**
   * Checks that a segment can be given objects.
   *
   * @throws StoreException INVALID_PARAMS for a disk; UNAVAILABLE_IN_CURRENT_STATUS
   */
  static SegmentInfo memoryTarget(SegmentInfo target) {
    String name = target.spec().name();
    if (target.spec().kind() != SegmentKind.MEMORY) {
      throw new StoreException(
          ErrorCode.INVALID_PARAMS,
          "segment " + name + " is a disk: objects are moved into memory, name a memory segment");
    }
    if (target.status() != SegmentStatus.OK) {
      throw unavailable(
          "segment " + name + " is " + target.status() + ": name a target that takes objects");
    }
    return target;
  }

  private static StoreException unavailable(String message) {
    return new StoreException(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS, message);
  }

  private static List<SegmentInfo> memoryFirst(Map<UUID, SegmentInfo> sources) {
    List<SegmentInfo> sorted = new ArrayList<>();
    for (SegmentKind kind : List.of(SegmentKind.MEMORY, SegmentKind.LOCAL_DISK)) {
      for (SegmentInfo source : sources.values()) {
        if (source.spec().kind() == kind) {
          sorted.add(source);
        }
      }
    }
    return List.copyOf(sorted);
  }

  static JobInfo.Source source(SegmentInfo segment) {
    return new JobInfo.Source(
        segment.spec().id(),
        segment.spec().name(),
        segment.nodeId(),
        segment.spec().kind() == SegmentKind.LOCAL_DISK);
  }
}
