package io.moonpool.master.admin;

import io.moonpool.master.MasterStats;
import io.moonpool.model.SegmentInfo;
import java.util.List;

/**
 * What another protocol adds to the HTTP interface.
 *
 * @param routes beside the interface's own; none of them has the method and path of one
 * @param metrics beside the interface's own
 */
public record AdminAddition(List<Route> routes, MetricText metrics) {
  /** Nothing. */
  public static final AdminAddition NONE = new AdminAddition(List.of(), (stats, segments) -> "");

  /** Copies the list. */
  public AdminAddition {
    routes = List.copyOf(routes);
  }

  /** Metrics in the Prometheus text format. Called on a worker. */
  @FunctionalInterface
  public interface MetricText {
    /**
     * Writes them.
     *
     * @param segments all that are mounted
     */
    String of(MasterStats.Snapshot stats, List<SegmentInfo> segments);
  }
}
