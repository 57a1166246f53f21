package io.moonpool.gateway.admin;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Parameters of a query as they were sent. Mooncake's master does not decode some of them, so its
 * scripts send keys as they are; other programs encode them. Any thread.
 */
final class RawQuery {
  private RawQuery() {}

  /** The first value of a parameter as it was sent; null when there is none. */
  static @Nullable String raw(String query, String name) {
    int from = 0;
    while (from < query.length()) {
      int end = query.indexOf('&', from);
      end = end < 0 ? query.length() : end;
      if (query.startsWith(name, from)
          && from + name.length() < end
          && query.charAt(from + name.length()) == '=') {
        return query.substring(from + name.length() + 1, end);
      }
      from = end + 1;
    }
    return null;
  }

  /** The first value of a parameter, decoded when that is possible; empty when there is none. */
  static String decoded(String query, String name) {
    String raw = raw(query, name);
    return raw == null ? "" : decoded(raw);
  }

  /** What a value may mean: itself as it was sent, or else decoded. */
  static Set<String> meanings(@Nullable String raw) {
    Set<String> meanings = new LinkedHashSet<>();
    if (raw != null && !raw.isEmpty()) {
      meanings.add(raw);
      meanings.add(decoded(raw));
    }
    return meanings;
  }

  private static String decoded(String raw) {
    try {
      return URLDecoder.decode(raw, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return raw;
    }
  }
}
