package io.moonpool.app.demo;

import io.moonpool.app.cluster.LocalCluster;
import io.moonpool.app.cluster.LocalCluster.LocalNode;
import io.moonpool.model.process.HeapPeak;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/**
 * The most that the heaps of all processes of a demo ever held, in bytes, as each of them says.
 *
 * @param nodes in the order of the cluster's nodes
 * @param own that of the process that stores and reads
 */
record PeakHeaps(long master, List<Long> nodes, long own) {
  private static final Pattern SAMPLE =
      Pattern.compile("(?m)^moonpool_(?:node_)?heap_peak_bytes ([0-9.eE+]+)$");
  private static final int LIMIT_MILLIS = 30_000;

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
    URI metrics = URI.create(url + "/metrics");
    try {
      URLConnection connection = metrics.toURL().openConnection();
      connection.setConnectTimeout(LIMIT_MILLIS);
      connection.setReadTimeout(LIMIT_MILLIS);
      try (InputStream body = connection.getInputStream()) {
        return peak(new String(body.readAllBytes(), StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      throw new DemoFailure("GET " + metrics + " failed: " + e);
    }
  }

  /** The figure in metrics in the text format of Prometheus. */
  static long peak(String metrics) {
    Matcher sample = SAMPLE.matcher(metrics);
    if (!sample.find()) {
      throw new DemoFailure("the metrics tell no peak of the heap");
    }
    return (long) Double.parseDouble(sample.group(1));
  }

  /** The largest of all. */
  long most() {
    return LongStream.concat(LongStream.of(master, own), nodes.stream().mapToLong(Long::longValue))
        .max()
        .orElseThrow();
  }
}
