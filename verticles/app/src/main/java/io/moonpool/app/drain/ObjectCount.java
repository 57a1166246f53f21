package io.moonpool.app.drain;

import java.util.Locale;

/** Numbers of objects as people write them. */
public final class ObjectCount {
  private ObjectCount() {}

  /** Such as "1 object" and "1,200 objects". */
  public static String of(long count) {
    return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? "object" : "objects");
  }
}
