package io.moonpool.master.drain;

import io.moonpool.core.segment.SegmentMount;
import io.moonpool.master.metadata.LaneStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The segments that a job empties, and which of them went away meanwhile. Belongs to the control
 * loop.
 */
final class JobSources {
  private final LinkedHashMap<UUID, JobInfo.Source> all = new LinkedHashMap<>();

  /** Those that went away with nothing on them. */
  private final Set<UUID> departed = new HashSet<>();

  /** Those that go away just now, with the generation of their mount. */
  private final Map<UUID, Long> leaving = new HashMap<>();

  /** Mounts that went away with units on them. */
  private final Set<Long> lost = new HashSet<>();

  JobSources(List<JobInfo.Source> sources) {
    for (JobInfo.Source source : sources) {
      all.put(source.segmentId(), source);
    }
  }

  List<JobInfo.Source> list() {
    return List.copyOf(all.values());
  }

  /** Whether one node has them all. */
  boolean areOfOneNode() {
    return all.values().stream().map(JobInfo.Source::nodeId).distinct().count() == 1;
  }

  boolean has(UUID segmentId) {
    return all.containsKey(segmentId);
  }

  /** Those that are there, memory first, or were before a restart. */
  List<JobInfo.Source> present() {
    return all.values().stream()
        .filter(source -> !departed.contains(source.segmentId()))
        .sorted(Comparator.comparing(JobInfo.Source::disk))
        .toList();
  }

  /** Takes the mounts of {@link #present}, or says what they wait for. */
  Mounts mounts(JobSurroundings around) {
    List<SegmentMount> mounts = new ArrayList<>();
    for (JobInfo.Source source : present()) {
      SegmentMount mounted = around.mounted(source.segmentId());
      if (mounted == null) {
        return new Mounts(List.of(), "waits until segment " + source.name() + " is mounted");
      }
      if (!around.scanned(mounted)) {
        return new Mounts(List.of(), "waits until the disk " + source.name() + " is known");
      }
      mounts.add(mounted);
    }
    return new Mounts(mounts, "");
  }

  /**
   * The mounts of sources.
   *
   * @param waitsFor what is missing; empty when nothing is
   */
  record Mounts(List<SegmentMount> mounts, String waitsFor) {}

  /**
   * A source is about to go.
   *
   * @return true for the first of several that go in one turn
   */
  boolean leaves(UUID segmentId, long generation) {
    if (departed.contains(segmentId)) {
      return false;
    }
    boolean first = leaving.isEmpty();
    leaving.put(segmentId, generation);
    return first;
  }

  /**
   * Those that were leaving went.
   *
   * @param now what was on all sources before they did
   * @param failedOn how many units have failed for good on a mount
   */
  Departure went(LaneStatus now, UnitTries failedOn) {
    long units = 0;
    long rehoming = 0;
    long failed = 0;
    for (Long generation : leaving.values()) {
      units += now.unitsOf().getOrDefault(generation, 0L);
      rehoming += now.rehomingOf().getOrDefault(generation, 0L);
      failed += failedOn.givenUpOn(generation);
    }
    if (units + rehoming == 0) {
      departed.addAll(leaving.keySet());
    } else {
      lost.addAll(leaving.values());
    }
    return new Departure(takeNames(), units, rehoming, Math.max(0, units - failed));
  }

  /** The names of those that were leaving, which they are not any more. */
  String takeNames() {
    String names =
        String.join(
            ", ",
            all.values().stream()
                .filter(source -> leaving.containsKey(source.segmentId()))
                .map(JobInfo.Source::name)
                .toList());
    leaving.clear();
    return names;
  }

  /**
   * What went with sources.
   *
   * @param names of the sources
   * @param units that were on them
   * @param rehoming that had moved, and were not on a disk at their new home
   * @param toLose of these, those that had not failed for good before; what is under way included
   */
  record Departure(String names, long units, long rehoming, long toLose) {}

  /** Whether a mount went away with units on it. */
  boolean isLost(long generation) {
    return lost.contains(generation);
  }

  /** Whether all went away with nothing on them. */
  boolean allDeparted() {
    return departed.size() == all.size();
  }
}
