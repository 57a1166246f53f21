package io.moonpool.core.segment;

import io.moonpool.model.SegmentStatus;
import java.util.Optional;

/**
 * What can happen to a segment, and so the state machine of {@link SegmentStatus}:
 *
 * <pre>
 *                         | MOUNT | DRAIN    | EMPTIED | RESUME | UNMOUNT_LATER         | UNMOUNT    | SWEPT
 * ------------------------+-------+----------+---------+--------+-----------------------+------------+----------
 *  UNDEFINED (no mount)   | OK    |          |         |        |                       |            |
 *  OK                     |       | DRAINING |         |        | GRACEFULLY_UNMOUNTING | UNMOUNTING |
 *  DRAINING               |       |          | DRAINED | OK     | GRACEFULLY_UNMOUNTING | UNMOUNTING |
 *  DRAINED                |       |          |         | OK     |                       | UNMOUNTING |
 *  GRACEFULLY_UNMOUNTING  |       |          |         |        | GRACEFULLY_UNMOUNTING | UNMOUNTING |
 *  UNMOUNTING             |       |          |         |        |                       |            | UNDEFINED
 * </pre>
 *
 * <p>An empty cell means refused. A DRAINED segment has nothing left to read, so there is no point
 * in unmounting it later.
 */
public enum SegmentEvent {
  /** A node lends it. */
  MOUNT,
  /** A drain begins: no new objects, existing ones move away. */
  DRAIN,
  /** The drain has moved everything away. */
  EMPTIED,
  /** The drain was cancelled or failed. */
  RESUME,
  /** Its node wants it back after a grace period, in which it stays readable. */
  UNMOUNT_LATER,
  /** Its node wants it back now, the grace period is over, or its node is OFFLINE. */
  UNMOUNT,
  /** Every metadata loop has removed the replicas on it. */
  SWEPT;

  /** The status after this event, or empty when it is refused in that status. */
  public Optional<SegmentStatus> after(SegmentStatus status) {
    return Optional.ofNullable(
        switch (this) {
          case MOUNT -> status == SegmentStatus.UNDEFINED ? SegmentStatus.OK : null;
          case DRAIN -> status == SegmentStatus.OK ? SegmentStatus.DRAINING : null;
          case EMPTIED -> status == SegmentStatus.DRAINING ? SegmentStatus.DRAINED : null;
          case RESUME ->
              status == SegmentStatus.DRAINING || status == SegmentStatus.DRAINED
                  ? SegmentStatus.OK
                  : null;
          case UNMOUNT_LATER ->
              switch (status) {
                case OK, DRAINING, GRACEFULLY_UNMOUNTING -> SegmentStatus.GRACEFULLY_UNMOUNTING;
                case UNDEFINED, DRAINED, UNMOUNTING -> null;
              };
          case UNMOUNT ->
              switch (status) {
                case OK, DRAINING, DRAINED, GRACEFULLY_UNMOUNTING -> SegmentStatus.UNMOUNTING;
                case UNDEFINED, UNMOUNTING -> null;
              };
          case SWEPT -> status == SegmentStatus.UNMOUNTING ? SegmentStatus.UNDEFINED : null;
        });
  }
}
