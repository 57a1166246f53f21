package io.moonpool.app.command.client;

import io.moonpool.app.blocking.Await;
import io.moonpool.app.blocking.BlockingObjects;
import io.moonpool.client.parts.ValueSize;
import io.moonpool.model.ChecksumKind;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.StoreException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Prints objects, one a line; of those in parts, how large the whole value is. */
final class ObjectRows {
  private static final Pattern PART = Pattern.compile("\\.part-[0-9a-f]{16}-\\d{5,}$");

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final BlockingObjects pool;
  private final PrintWriter out;
  private final boolean json;
  private final @Nullable Function<ReplicaDescriptor, String> ways;
  private boolean titled;

  /** Rows that start with a title line, unless they are JSON. */
  ObjectRows(BlockingObjects pool, PrintWriter out, boolean json) {
    this(pool, out, json, null);
  }

  /**
   * The same, that also tell how each replica is reached.
   *
   * @param ways tells the transport to a replica; an empty text when it is not reached by one
   */
  ObjectRows(
      BlockingObjects pool,
      PrintWriter out,
      boolean json,
      @Nullable Function<ReplicaDescriptor, String> ways) {
    this.pool = pool;
    this.out = out;
    this.json = json;
    this.ways = ways;
  }

  /** Whether an object is a part of a larger one, as its key says. */
  static boolean isPart(ObjectInfo object) {
    return PART.matcher(object.key()).find();
  }

  /**
   * The size of the value under an object's key; null when the list of its parts cannot be read.
   */
  private @Nullable ValueSize size(ObjectInfo object) {
    if (object.checksum().kind() != ChecksumKind.MANIFEST) {
      return new ValueSize(object.size(), 0);
    }
    try {
      return Await.result(pool.values().size(object), LIMIT);
    } catch (StoreException e) {
      return null;
    }
  }

  private static String parts(@Nullable ValueSize size) {
    if (size == null) {
      return "  (in parts, of which the list cannot be read: the size is that of the list)";
    }
    return size.parts() == 0 ? "" : "  (in " + size.parts() + " parts)";
  }

  /** Prints an object. */
  void print(ObjectInfo object) {
    ValueSize size = size(object);
    if (json) {
      out.println(json(object, size).encode());
    } else {
      if (!titled) {
        out.println(
            String.format(
                Locale.ROOT,
                "%15s %8s %8s  %s%s",
                "BYTES",
                "REPLICAS",
                "LEASE s",
                ways == null ? "" : String.format(Locale.ROOT, "%-8s  ", "VIA"),
                "KEY"));
        titled = true;
      }
      out.println(
          String.format(
              Locale.ROOT,
              "%15d %8d %8.1f  %s%s",
              size == null ? object.size() : size.bytes(),
              object.replicas().size(),
              object.leaseRemainingMillis() / 1e3,
              ways == null ? "" : String.format(Locale.ROOT, "%-8s  ", via(object)),
              object.key() + parts(size)));
    }
    out.flush();
  }

  /** The transports to the replicas, each once. */
  private String via(ObjectInfo object) {
    String all =
        object.replicas().stream()
            .map(this::way)
            .filter(way -> !way.isEmpty())
            .distinct()
            .collect(Collectors.joining(","));
    return all.isEmpty() ? "-" : all;
  }

  private String way(ReplicaDescriptor replica) {
    return ways == null ? "" : ways.apply(replica);
  }

  private JsonObject json(ObjectInfo object, @Nullable ValueSize size) {
    JsonArray replicas = new JsonArray();
    for (ReplicaDescriptor replica : object.replicas()) {
      JsonObject row =
          new JsonObject()
              .put("id", replica.id())
              .put("type", replica.type().name())
              .put("status", replica.status().name())
              .put("generation", replica.generation())
              .put("offset", replica.offset())
              .put("size", replica.size());
      String way = way(replica);
      if (!way.isEmpty()) {
        row.put("transport", way);
      }
      replicas.add(row);
    }
    return new JsonObject()
        .put("tenant", object.tenant())
        .put("key", object.key())
        .put("size", size == null ? object.size() : size.bytes())
        .put("parts", size == null ? null : size.parts())
        .put("version", object.version())
        .put("checksum_kind", object.checksum().kind().name())
        .put("lease_remaining_ms", object.leaseRemainingMillis())
        .put("soft_pin_remaining_ms", object.softPinRemainingMillis())
        .put("hard_pinned", object.hardPinned())
        .put("group", object.group())
        .put("replicas", replicas);
  }
}
