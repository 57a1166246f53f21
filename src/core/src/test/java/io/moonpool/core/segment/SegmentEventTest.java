package io.moonpool.core.segment;

import static io.moonpool.model.SegmentStatus.DRAINED;
import static io.moonpool.model.SegmentStatus.DRAINING;
import static io.moonpool.model.SegmentStatus.GRACEFULLY_UNMOUNTING;
import static io.moonpool.model.SegmentStatus.OK;
import static io.moonpool.model.SegmentStatus.UNDEFINED;
import static io.moonpool.model.SegmentStatus.UNMOUNTING;
import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.model.SegmentStatus;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SegmentEventTest {
  private static final SegmentEvent[] COLUMNS = {
    SegmentEvent.MOUNT,
    SegmentEvent.DRAIN,
    SegmentEvent.EMPTIED,
    SegmentEvent.RESUME,
    SegmentEvent.UNMOUNT_LATER,
    SegmentEvent.UNMOUNT,
    SegmentEvent.SWEPT
  };

  /** The table of the class comment; null means refused. */
  private static Map<SegmentStatus, SegmentStatus[]> table() {
    SegmentStatus no = null;
    Map<SegmentStatus, SegmentStatus[]> rows = new EnumMap<>(SegmentStatus.class);
    rows.put(UNDEFINED, row(OK, no, no, no, no, no, no));
    rows.put(OK, row(no, DRAINING, no, no, GRACEFULLY_UNMOUNTING, UNMOUNTING, no));
    rows.put(DRAINING, row(no, no, DRAINED, OK, GRACEFULLY_UNMOUNTING, UNMOUNTING, no));
    rows.put(DRAINED, row(no, no, no, OK, no, UNMOUNTING, no));
    rows.put(GRACEFULLY_UNMOUNTING, row(no, no, no, no, GRACEFULLY_UNMOUNTING, UNMOUNTING, no));
    rows.put(UNMOUNTING, row(no, no, no, no, no, no, UNDEFINED));
    return rows;
  }

  private static SegmentStatus[] row(SegmentStatus... cells) {
    return cells;
  }

  @Test
  void everyCellOfTheTable() {
    Map<SegmentStatus, SegmentStatus[]> table = table();
    assertThat(table.keySet()).containsExactlyInAnyOrder(SegmentStatus.values());
    assertThat(COLUMNS).containsExactlyInAnyOrder(SegmentEvent.values());
    table.forEach(
        (status, cells) -> {
          for (int i = 0; i < COLUMNS.length; i++) {
            assertThat(COLUMNS[i].after(status))
                .as("%s in %s", COLUMNS[i], status)
                .isEqualTo(Optional.ofNullable(cells[i]));
          }
        });
  }
}
