package io.moonpool.app.demo;

import io.moonpool.app.cluster.LocalCluster;
import io.moonpool.app.cluster.LocalCluster.LocalNode;
import io.moonpool.app.drain.DrainJobs;
import io.moonpool.app.drain.DrainProgress;
import io.moonpool.app.drain.MasterRest;
import io.moonpool.model.StoreException;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/**
 * A node that was drained at a demo's end: everything that it had, in memory and on its disk, is on
 * others.
 *
 * @param name of the node
 * @param objects that moved, parts of large ones included
 * @param bytes of these
 * @param memoryBytes those that the node read from its memory
 * @param diskBytes those that it read from its disk
 * @param moveMillis until the last object had moved
 * @param drainMillis until the node was drained, which also waits for the last read lease
 */
record DrainedNode(
    String name,
    long objects,
    long bytes,
    long memoryBytes,
    long diskBytes,
    long moveMillis,
    long drainMillis) {
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final String FROM_MEMORY = "moonpool_node_task_memory_bytes_total";
  private static final String FROM_DISK = "moonpool_node_task_disk_bytes_total";

  /**
   * Drains the first node. Blocks meanwhile.
   *
   * @throws DemoFailure when something is left on the node, with the reasons
   */
  static DrainedNode drain(LocalCluster cluster, PrintWriter out, boolean terminal)
      throws InterruptedException {
    LocalNode node = cluster.nodes().getFirst();
    String name = node.process().name();
    Scrape before = Scrape.of(node.url());
    long startNanos = System.nanoTime();
    Moves moves = new Moves(startNanos);
    JsonObject job;
    DrainProgress progress = new DrainProgress(out, terminal, "drain " + name);
    try (MasterRest rest = MasterRest.open(cluster.masterAdmin(), "", "")) {
      DrainJobs jobs = new DrainJobs(rest);
      String id = jobs.create(new JsonObject().put("node", name)).getString("job_id");
      job =
          jobs.follow(
              id,
              LIMIT,
              now -> {
                moves.told(now);
                progress.show(now, System.nanoTime());
              });
    } catch (StoreException e) {
      throw new DemoFailure("the drain of " + name + " cannot be asked for: " + e.getMessage());
    } finally {
      progress.done();
    }
    requireSuccess(name, job);
    Scrape after = Scrape.of(node.url());
    return new DrainedNode(
        name,
        job.getLong("succeeded_units"),
        job.getLong("migrated_bytes"),
        after.figure(FROM_MEMORY) - before.figure(FROM_MEMORY),
        after.figure(FROM_DISK) - before.figure(FROM_DISK),
        moves.lastMillis,
        (System.nanoTime() - startNanos) / 1_000_000);
  }

  private static void requireSuccess(String name, JsonObject job) {
    if (!job.getString("status").equals("succeeded")) {
      throw new DemoFailure(
          "the drain of "
              + name
              + " is "
              + job.getString("status")
              + ": "
              + job.getString("message")
              + DrainJobs.blocked(job.getJsonArray("blocked")).stream()
                  .reduce("", (lines, unit) -> lines + "\n  " + unit));
    }
  }

  /** When objects moved last. */
  private static final class Moves {
    private final long startNanos;
    private long moved = -1;
    private long lastMillis;

    Moves(long startNanos) {
      this.startNanos = startNanos;
    }

    void told(JsonObject job) {
      long now = job.getLong("succeeded_units");
      if (now != moved) {
        moved = now;
        lastMillis = (System.nanoTime() - startNanos) / 1_000_000;
      }
    }
  }

  /** For programs. */
  JsonObject toJson() {
    return new JsonObject()
        .put("node", name)
        .put("objects", objects)
        .put("bytes", bytes)
        .put("bytes_from_memory", memoryBytes)
        .put("bytes_from_disk", diskBytes)
        .put("move_ms", moveMillis)
        .put("drain_ms", drainMillis);
  }

  /** Tells people. */
  void print(PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "Drained %s: %d objects and parts moved, %.1f MB in %.1f s, %.0f MB/s: %.1f MB from its memory,"
            + " %.1f MB from its SSD.%n",
        name,
        objects,
        bytes / 1e6,
        moveMillis / 1e3,
        bytes / 1e3 / Math.max(1, moveMillis),
        memoryBytes / 1e6,
        diskBytes / 1e6);
    out.printf(
        Locale.ROOT,
        "It was drained after %.1f s, when the last read lease on what it had was over: nothing is left"
            + " on it.%n",
        drainMillis / 1e3);
  }
}
