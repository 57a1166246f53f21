package io.moonpool.app.demo;

import io.moonpool.app.cluster.LocalCluster;
import io.moonpool.app.cluster.LocalCluster.LocalNode;
import io.moonpool.model.process.HeapPeak;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The most that the heaps of all processes of a demo ever held, in bytes, as each of them says.
 *
 * @param nodes in the order of the cluster's nodes
 * @param own that of the process that stores and reads
 */
record PeakHeaps(long master, List<Long> nodes, long own) {
  private static final String SERIES = "moonpool_(?:node_)?heap_peak_bytes";

  PeakHeaps {
    nodes = List.copyOf(nodes);
  }

  /**
   * Asks all of them.
   *
   * @throws DemoFailure when one does not tell
   */
  static PeakHeaps of(LocalCluster cluster) {
    List<Long> nodes = new ArrayList<>();
    for (LocalNode node : cluster.nodes()) {
      nodes.add(ask(node.url()));
    }
    return new PeakHeaps(ask(cluster.masterUrl()), nodes, HeapPeak.bytes());
  }

  private static long ask(String url) {
    return Scrape.of(url).figure(SERIES);
  }

  /** The largest of all. */
  long most() {
    return LongStream.concat(LongStream.of(master, own), nodes.stream().mapToLong(Long::longValue))
        .max()
        .orElseThrow();
  }
}
