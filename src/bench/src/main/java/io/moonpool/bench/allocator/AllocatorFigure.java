package io.moonpool.bench.allocator;

import io.vertx.core.json.JsonObject;
import java.util.Locale;

/**
 * What became of a segment under one mix of sizes.
 *
 * @param mix the sizes
 * @param firstFailure the part of an empty segment that was used when first something found no
 *     space
 * @param churned the part that was used on average when something found no space, after more than
 *     the whole segment had been replaced at random at that fill
 * @param allocateNanos an allocation at 95 % fill, half of what is done then
 * @param freeNanos the other half
 */
public record AllocatorFigure(
    SizeMix mix, double firstFailure, double churned, double allocateNanos, double freeNanos) {

  /** The header that {@link #toString} fits under. */
  public static String tableHeader() {
    return String.format(
        Locale.ROOT,
        "%-10s %14s %16s %14s %10s",
        "sizes",
        "first failure",
        "full, replacing",
        "allocate ns",
        "free ns");
  }

  /** The same for programs. */
  public JsonObject toJson() {
    return new JsonObject()
        .put("sizes", mix.label())
        .put("first_failure", firstFailure)
        .put("full_replacing", churned)
        .put("allocate_ns", allocateNanos)
        .put("free_ns", freeNanos);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%-10s %13.2f%% %15.2f%% %14.0f %10.0f",
        mix.label(),
        100 * firstFailure,
        100 * churned,
        allocateNanos,
        freeNanos);
  }
}
