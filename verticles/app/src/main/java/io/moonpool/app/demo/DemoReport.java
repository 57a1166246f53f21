package io.moonpool.app.demo;

import io.moonpool.app.cluster.LocalCluster;
import io.moonpool.app.cluster.LocalCluster.LocalNode;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentKind;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a demo saw. */
public final class DemoReport {
  private final DemoOptions options;
  private final Timings put;
  private final Reads get;
  private final Reads rest;
  private final DrainedNode drained;
  private final Reads again;
  private final long spaceWaits;
  private final List<SegmentInfo> segments;
  private final List<Long> diskBytes;
  private final PeakHeaps heaps;
  private final Map<String, String> sums;

  /**
   * A report.
   *
   * @param get what a client read
   * @param rest what was read over REST of the nodes
   * @param drained the node that was drained after that
   * @param again what the client read when the node was drained
   * @param spaceWaits how often a put was started once more for want of space
   * @param segments at the demo's end
   * @param diskBytes what each node's disk takes at the demo's end, in the order of the nodes
   * @param heaps at the demo's end
   * @param sums SHA-256 of the files by key; empty texts for generated objects
   */
  DemoReport(
      DemoOptions options,
      Timings put,
      Reads get,
      Reads rest,
      DrainedNode drained,
      Reads again,
      long spaceWaits,
      List<SegmentInfo> segments,
      List<Long> diskBytes,
      PeakHeaps heaps,
      Map<String, String> sums) {
    this.options = options;
    this.put = put;
    this.get = get;
    this.rest = rest;
    this.drained = drained;
    this.again = again;
    this.spaceWaits = spaceWaits;
    this.segments = segments;
    this.diskBytes = List.copyOf(diskBytes);
    this.heaps = heaps;
    this.sums = sums;
  }

  /** Prints the tables. */
  public void print(PrintWriter out, LocalCluster cluster) {
    printSums(out);
    out.println();
    out.printf(
        Locale.ROOT,
        "%-30s %8s %10s %8s %9s %9s%n",
        "",
        "objects",
        "MB",
        "MB/s",
        "p50 ms",
        "p99 ms");
    timings(out, "put (client)", put);
    timings(
        out, "get (another client, " + options.readersTransports().getFirst() + ")", get.timings());
    timings(out, "get (REST of another node)", rest.timings());
    timings(out, "get (after the drain)", again.timings());
    out.printf(
        Locale.ROOT,
        "%d at once; the time to make and compare the data is not counted.%s%n",
        options.lanes(),
        options.replicas() == 1 ? "" : " Each object has " + options.replicas() + " replicas.");
    if (spaceWaits > 0) {
      out.printf(
          Locale.ROOT,
          "Memory was full: puts were tried again %d times, until the SSD had what gave way.%n",
          spaceWaits);
    }
    out.println();
    sources(out);
    out.println();
    drained.print(out);
    out.println();
    processes(out, cluster);
    out.println();
    out.println(heapSentence());
    out.printf(
        Locale.ROOT,
        "All %d objects came back as they were stored, both ways, and once more after the drain.%n",
        options.objects().size());
  }

  /** The same for programs. */
  public JsonObject toJson(LocalCluster cluster) {
    Placement stored = get.sources().placement();
    JsonObject files = new JsonObject();
    for (DemoObject object : options.objects()) {
      if (object instanceof DemoObject.FileBytes) {
        files.put(object.key(), sums.getOrDefault(object.key(), ""));
      }
    }
    return new JsonObject()
        .put("objects", options.objects().size())
        .put("bytes", options.totalBytes())
        .put("replicas", options.replicas())
        .put("sha256", files)
        .put("stored_in_memory", stored.inMemory())
        .put("stored_on_disk_only", stored.onDisk())
        .put("stored_on_both", stored.onBoth())
        .put("put", put.toJson(options.lanes()))
        .put("get", get.toJson(options.lanes()))
        .put("get_rest", rest.toJson(options.lanes()))
        .put("drain", drained.toJson())
        .put("get_after_drain", again.toJson(options.lanes()))
        .put("space_waits", spaceWaits)
        .put("heap_peak_bytes", heaps.most())
        .put("master", cluster.host() + ":" + cluster.masterPort())
        .put("admin", cluster.masterAdmin());
  }

  private void sources(PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "%-30s %10s %9s %9s %13s %12s%n",
        "objects that are",
        "in memory",
        "SSD only",
        "on both",
        "memory MB",
        "SSD only MB");
    Placement stored = get.sources().placement();
    source(out, "stored", stored, stored.bytesInMemory(), stored.bytesOnDisk());
    source(out, "read by the client", get.sources());
    source(out, "read over REST", rest.sources());
    source(out, "read after the drain", again.sources());
    out.println(
        "Each object has a copy on SSD. In memory: read from there. On both: parts of it in memory.");
  }

  private static void source(PrintWriter out, String what, ReadSources read) {
    source(out, what, read.placement(), read.bytesFromMemory(), read.bytesFromDisk());
  }

  private static void source(
      PrintWriter out, String what, Placement placement, long memoryBytes, long diskBytes) {
    out.printf(
        Locale.ROOT,
        "%-30s %10d %9d %9d %13s %12s%n",
        what,
        placement.inMemory(),
        placement.onDisk(),
        placement.onBoth(),
        megabytes(memoryBytes),
        megabytes(diskBytes));
  }

  private void processes(PrintWriter out, LocalCluster cluster) {
    out.printf(
        Locale.ROOT,
        "%-20s %8s %10s %8s %8s %20s%n",
        "",
        "process",
        "lends MB",
        "used MB",
        "SSD MB",
        "peak of its heap, MB");
    process(out, "master", cluster.master().pid(), "", "", "", heaps.master());
    for (int i = 0; i < cluster.nodes().size(); i++) {
      LocalNode node = cluster.nodes().get(i);
      long lent = 0;
      long used = 0;
      for (SegmentInfo segment : segments) {
        if (segment.nodeId().equals(node.id()) && segment.spec().kind() == SegmentKind.MEMORY) {
          lent += segment.spec().size();
          used += segment.usedBytes();
        }
      }
      process(
          out,
          node.process().name(),
          node.process().pid(),
          megabytes(lent),
          megabytes(used),
          megabytes(diskBytes.get(i)),
          heaps.nodes().get(i));
    }
    process(out, "demo", ProcessHandle.current().pid(), "", "", "", heaps.own());
  }

  private static void process(
      PrintWriter out, String name, long pid, String lends, String used, String disk, long heap) {
    out.printf(
        Locale.ROOT,
        "%-20s %8d %10s %8s %8s %20s%n",
        name,
        pid,
        lends,
        used,
        disk,
        megabytes(heap));
  }

  private static String megabytes(long bytes) {
    return String.format(Locale.ROOT, "%.1f", bytes / 1e6);
  }

  /** What the peaks of the heaps say about copies of objects in them. */
  String heapSentence() {
    DemoObject largest =
        options.objects().stream().max(Comparator.comparingLong(DemoObject::size)).orElseThrow();
    String most = "No heap ever held more than " + megabytes(heaps.most()) + " MB";
    return largest.size() > heaps.most()
        ? most
            + ", so none held a copy of "
            + largest.key()
            + " ("
            + megabytes(largest.size())
            + " MB)."
        : most
            + "; the "
            + megabytes(options.totalBytes())
            + " MB of objects are kept outside of the heaps.";
  }

  private void printSums(PrintWriter out) {
    for (DemoObject object : options.objects()) {
      if (object instanceof DemoObject.FileBytes) {
        out.printf(
            Locale.ROOT, "sha256 %s  %s%n", sums.getOrDefault(object.key(), ""), object.key());
      }
    }
  }

  private void timings(PrintWriter out, String what, Timings timings) {
    out.printf(
        Locale.ROOT,
        "%-30s %8d %10.1f %8.0f %9.2f %9.2f%n",
        what,
        timings.objects(),
        timings.bytes() / 1e6,
        timings.megabytesPerSecond(options.lanes()),
        timings.percentileMillis(50),
        timings.percentileMillis(99));
  }

  /** Prints where the cluster can be looked at. */
  public void printAddresses(PrintWriter out, LocalCluster cluster) {
    String key = options.objects().getFirst().key();
    out.println();
    out.println("Look at it:");
    out.printf(Locale.ROOT, "  segments       curl %s/api/v1/segments%n", cluster.masterUrl());
    out.printf(Locale.ROOT, "  metrics        curl %s/metrics%n", cluster.masterUrl());
    out.printf(Locale.ROOT, "  health         curl %s/health/ready%n", cluster.masterUrl());
    for (LocalNode node : cluster.nodes()) {
      out.printf(
          Locale.ROOT,
          "  %-14s curl -s %s | sha256sum%n",
          node.process().name(),
          RestObjects.uri(node.url(), key));
    }
    out.printf(
        Locale.ROOT,
        "  use %s again   ./moonpool client undrain %s --admin %s%n",
        drained.name(),
        drained.name(),
        cluster.masterAdmin());
    out.printf(
        Locale.ROOT,
        "  command line   ./moonpool client ls --master %s:%d%n",
        cluster.host(),
        cluster.masterPort());
  }
}
