package io.moonpool.bench.master;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a run is to reach: some of it by itself, some beside the figures of a reference. */
final class Goals {
  private static final List<String> CALLS =
      List.of(
          "batch put",
          "batch locate",
          "batch exists",
          "single put",
          "single locate",
          "single exists");
  private static final double FASTER = 1.2;
  private static final double HICCUPS = 1.5;

  private final List<Verdict> verdicts = new ArrayList<>();

  private Goals() {}

  /**
   * A figure beside its goal.
   *
   * @param atMost whether smaller is better
   */
  record Verdict(String row, String figure, double value, boolean atMost, double goal) {
    boolean met() {
      return atMost ? value <= goal : value >= goal;
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%-6s %s: %s is %s, goal %s %s",
          met() ? "met" : "MISSED",
          row,
          figure,
          MasterRow.shown(value),
          atMost ? "at most" : "at least",
          MasterRow.shown(goal));
    }
  }

  /** Judges what was measured; rows that were not are left out. */
  static List<Verdict> judge(List<MasterRow> rows, ReferenceFigures reference) {
    Goals goals = new Goals();
    for (MasterRow row : rows) {
      goals.judge(row, reference);
    }
    return goals.verdicts;
  }

  private void judge(MasterRow row, ReferenceFigures reference) {
    String name = row.name();
    atMost(row, MasterRow.GC_PAUSE, 2);
    if (CALLS.contains(name)) {
      beside(row, MasterRow.OPS_PER_SECOND, FASTER, reference);
      beside(row, MasterRow.OPS_PER_CPU_SECOND, 1, reference);
    } else if (name.equals(LoadRun.MEMORY)) {
      atMost(row, LoadRun.BYTES_PER_KEY, 190);
    } else if (name.equals(LoadRun.READ)) {
      atMost(row, MasterRow.MAX, pauseGoalMicros(row));
    } else if (name.startsWith(OverfillRun.PREFIX) && name.endsWith(OverfillRun.READ)) {
      atMost(row, MasterRow.P99, 5_000);
      atMost(row, MasterRow.MAX, pauseGoalMicros(row));
    } else if (name.startsWith(OverfillRun.PREFIX)) {
      atMost(row, MasterRow.FAILED, 0);
    } else if (name.equals(EvictionRun.NAME)) {
      atMost(row, EvictionRun.CPU_OF_HALF_A_MILLION, 1);
      atMost(row, EvictionRun.LONGEST_SLICE, 1);
    }
  }

  private static double pauseGoalMicros(MasterRow row) {
    return Math.max(20_000, HICCUPS * 1_000 * row.figure(LoadRun.HICCUP));
  }

  private void atMost(MasterRow row, String figure, double goal) {
    double value = row.figure(figure);
    if (!Double.isNaN(value)) {
      verdicts.add(new Verdict(row.name(), figure, value, true, goal));
    }
  }

  private void beside(MasterRow row, String figure, double factor, ReferenceFigures reference) {
    double value = row.figure(figure);
    double other = reference.figure(row.name(), figure);
    if (!Double.isNaN(value) && !Double.isNaN(other)) {
      verdicts.add(new Verdict(row.name(), figure, value, false, other * factor));
    }
  }
}
