package io.moonpool.app.command.client;

import io.moonpool.model.ObjectInfo;
import io.moonpool.model.ReplicaDescriptor;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Prints objects, one a line. */
final class ObjectRows {
  private static final Pattern PART = Pattern.compile("\\.part-[0-9a-f]{16}-\\d{5,}$");

  private final PrintWriter out;
  private final boolean json;
  private final @Nullable Function<ReplicaDescriptor, String> ways;
  private boolean titled;

  /** Rows that start with a title line, unless they are JSON. */
  ObjectRows(PrintWriter out, boolean json) {
    this(out, json, null);
  }

  /**
   * The same, that also tell how each replica is reached.
   *
   * @param ways tells the transport to a replica; an empty text when it is not reached by one
   */
  ObjectRows(PrintWriter out, boolean json, @Nullable Function<ReplicaDescriptor, String> ways) {
    this.out = out;
    this.json = json;
    this.ways = ways;
  }

  /** Whether an object is a part of a larger one, as its key says. */
  static boolean isPart(ObjectInfo object) {
    return PART.matcher(object.key()).find();
  }

  /** Prints an object. */
  void print(ObjectInfo object) {
    if (json) {
      out.println(json(object).encode());
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
              object.size(),
              object.replicas().size(),
              object.leaseRemainingMillis() / 1e3,
              ways == null ? "" : String.format(Locale.ROOT, "%-8s  ", via(object)),
              object.key()));
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

  private JsonObject json(ObjectInfo object) {
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
        .put("size", object.size())
        .put("version", object.version())
        .put("checksum_kind", object.checksum().kind().name())
        .put("lease_remaining_ms", object.leaseRemainingMillis())
        .put("soft_pin_remaining_ms", object.softPinRemainingMillis())
        .put("hard_pinned", object.hardPinned())
        .put("group", object.group())
        .put("replicas", replicas);
  }
}
