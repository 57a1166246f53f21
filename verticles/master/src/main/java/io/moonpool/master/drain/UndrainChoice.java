package io.moonpool.master.drain;

import io.moonpool.master.journal.JournalRecord;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentStatus;
import io.moonpool.model.StoreException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The segments that somebody means who wants them back in use, mounted or not. */
record UndrainChoice(NamedSegments known, List<JournalRecord.SegmentHeld> held) {
  /**
   * Chooses.
   *
   * @return what is held, draining or drained; empty when the node's segments are all in use
   * @throws StoreException as {@link DrainOperations#undrain}
   */
  Map<UUID, JobInfo.Source> of(String node, List<String> names) {
    if (node.isEmpty() == names.isEmpty()) {
      throw new StoreException(
          ErrorCode.INVALID_PARAMS, "say what to undrain: either a node or segments");
    }
    Map<UUID, JobInfo.Source> chosen = new LinkedHashMap<>();
    if (!node.isEmpty()) {
      addNode(node, chosen);
    }
    for (String name : names) {
      add(name, chosen);
    }
    return chosen;
  }

  private void addNode(String name, Map<UUID, JobInfo.Source> chosen) {
    UUID id = NamedSegments.id(name);
    boolean absent =
        id != null
            && known.nodes().stream().noneMatch(node -> node.nodeId().equals(id))
            && held.stream().anyMatch(segment -> segment.nodeId().equals(id));
    UUID node = id != null && absent ? id : known.node(name);
    for (SegmentInfo segment : known.segments()) {
      if (segment.nodeId().equals(node) && emptied(segment)) {
        chosen.put(segment.spec().id(), DrainChoice.source(segment));
      }
    }
    for (JournalRecord.SegmentHeld segment : held) {
      if (segment.nodeId().equals(node)) {
        chosen.putIfAbsent(segment.segmentId(), source(segment));
      }
    }
  }

  private void add(String name, Map<UUID, JobInfo.Source> chosen) {
    UUID id = NamedSegments.id(name);
    List<JournalRecord.SegmentHeld> absent =
        held.stream()
            .filter(segment -> segment.segmentId().equals(id) || segment.name().equals(name))
            .filter(
                segment ->
                    known.segments().stream()
                        .noneMatch(s -> s.spec().id().equals(segment.segmentId())))
            .toList();
    boolean mounted =
        known.segments().stream()
            .anyMatch(s -> s.spec().id().equals(id) || s.spec().name().equals(name));
    if (!mounted && absent.size() == 1) {
      chosen.put(absent.getFirst().segmentId(), source(absent.getFirst()));
      return;
    }
    SegmentInfo segment = known.segment(name);
    if (emptied(segment)) {
      chosen.put(segment.spec().id(), DrainChoice.source(segment));
    }
  }

  private static boolean emptied(SegmentInfo segment) {
    return segment.status() == SegmentStatus.DRAINING || segment.status() == SegmentStatus.DRAINED;
  }

  /** Its kind is not remembered; who undrains does not mind. */
  private static JobInfo.Source source(JournalRecord.SegmentHeld segment) {
    return new JobInfo.Source(segment.segmentId(), segment.name(), segment.nodeId(), false);
  }
}
