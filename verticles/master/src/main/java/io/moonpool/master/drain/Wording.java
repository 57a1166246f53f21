package io.moonpool.master.drain;

import io.moonpool.core.index.WaitReason;
import io.moonpool.master.metadata.LaneStatus;
import io.moonpool.master.metadata.WaitingUnit;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What people are told of units and what they wait for. */
final class Wording {
  /** Longest part of a key in a message. */
  private static final int MAX_NAME = 100;

  private static final String WAITS = "waits: ";

  private Wording() {}

  static String key(byte[] key) {
    return new String(key, StandardCharsets.UTF_8);
  }

  /** A number of objects. */
  static String objects(long count) {
    return count + (count == 1 ? " object" : " objects");
  }

  /** A number of objects and what it does. */
  static String objects(long count, String verbOfOne, String verbOfMany) {
    return objects(count) + " " + (count == 1 ? verbOfOne : verbOfMany);
  }

  private static String sentence(WaitReason reason) {
    return switch (reason) {
      case WRITE_IN_PROGRESS -> "objects are being written";
      case COPY_OR_MOVE_IN_PROGRESS -> "objects are being copied or moved";
      case REPLICA_BUSY -> "replicas are busy";
      case MEMORY_FIRST -> "what is in memory goes first";
      case NEW_HOME_DISK -> "what has moved is not on the disk of its new home";
      case NO_SPACE -> "no target has room";
      case CLIENT_SUSPECTED -> "its node is not heard from";
      case DISK_SCANNED -> "its disk is being scanned";
      case JOURNAL_FAILED -> "the journal cannot be written";
      case FAILED -> "all tries have failed";
      case OWNER_CANNOT_MOVE ->
          "it is on the disk of a client of Mooncake and nowhere else, which such a client cannot"
              + " move";
    };
  }

  static JobInfo.BlockedUnit blocked(WaitingUnit unit) {
    return new JobInfo.BlockedUnit(
        unit.unit().tenant(),
        key(unit.unit().key()),
        unit.reason().name().toLowerCase(Locale.ROOT));
  }

  /** The first units that wait. */
  static List<JobInfo.BlockedUnit> waiting(@Nullable LaneStatus status) {
    return status == null
        ? List.of()
        : status.first().stream()
            .filter(unit -> !isFinal(unit.reason()))
            .map(Wording::blocked)
            .toList();
  }

  /** What a job waits for in all. */
  static String waitsFor(LaneStatus now) {
    List<String> reasons = new ArrayList<>();
    for (WaitReason reason : now.paused()) {
      reasons.add(sentence(reason));
    }
    if (now.waitingForSpace() > 0) {
      reasons.add(objects(now.waitingForSpace(), "waits", "wait") + " for room on a target");
    }
    if (now.waitingForObject() > 0) {
      reasons.add(objects(now.waitingForObject(), "is", "are") + " being written, copied or moved");
    }
    if (now.rehoming() > 0) {
      reasons.add(
          objects(now.rehoming(), "has", "have")
              + " moved and "
              + (now.rehoming() == 1 ? "is not on the disk of its" : "are not on the disk of their")
              + " new home yet");
    }
    return (reasons.isEmpty() ? "waits" : WAITS + String.join(", ", reasons)) + first(waiting(now));
  }

  /** What a job was doing, for a sentence that has begun. */
  static String what(String message) {
    return message.startsWith(WAITS) ? message.substring(WAITS.length()) : message;
  }

  private static boolean isFinal(WaitReason reason) {
    return reason == WaitReason.FAILED || reason == WaitReason.OWNER_CANNOT_MOVE;
  }

  /** What failed for good. */
  static String failed(JobFigures figures, UnitTries tries, LaneStatus now) {
    List<JobInfo.BlockedUnit> stuck =
        now.first().stream()
            .filter(unit -> unit.reason() == WaitReason.OWNER_CANNOT_MOVE)
            .map(Wording::blocked)
            .toList();
    String tried =
        objects(figures.failedUnits)
            + " could not be moved in "
            + UnitTries.MAX
            + " tries"
            + first(tries.first());
    if (stuck.isEmpty()) {
      return tried;
    }
    String cannot =
        "what is on the disk of a client of Mooncake and nowhere else cannot be moved by that client: "
            + objects(now.units() - figures.failedUnits)
            + first(stuck);
    return figures.failedUnits == 0 ? cannot : tried + "; " + cannot;
  }

  private static String first(List<JobInfo.BlockedUnit> units) {
    if (units.isEmpty()) {
      return "";
    }
    String key = units.getFirst().key();
    String shown = key.length() > MAX_NAME ? key.substring(0, MAX_NAME) + "..." : key;
    return "; the first is '" + shown + "': " + units.getFirst().reason();
  }
}
