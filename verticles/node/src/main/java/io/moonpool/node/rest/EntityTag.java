package io.moonpool.node.rest;

import io.moonpool.client.ObjectReader;
import io.moonpool.model.Checksum;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The entity tag of a value: its checksum and size, or its version when the pool knows no checksum
 * that it could trust.
 */
final class EntityTag {
  private EntityTag() {}

  /** The tag, with its quotes. */
  static String of(ObjectReader value) {
    Checksum sum = value.checksum();
    return switch (sum.kind()) {
      case CRC32C, MANIFEST -> String.format("\"%08x-%x\"", sum.value(), value.size());
      case NONE, OPAQUE -> String.format("\"v%x\"", value.version());
    };
  }

  /** Whether an {@code If-None-Match} header names the tag. */
  static boolean isNamed(@Nullable String header, String tag) {
    return header != null
        && Arrays.stream(header.split(",", -1))
            .map(String::strip)
            .map(each -> each.startsWith("W/") ? each.substring(2) : each)
            .anyMatch(each -> each.equals("*") || each.equals(tag));
  }
}
