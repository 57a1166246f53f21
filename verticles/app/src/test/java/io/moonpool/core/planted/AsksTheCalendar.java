package io.moonpool.core.planted;

import java.time.Instant;

/** A violation: time is an argument. */
public final class AsksTheCalendar {
  Instant now() {
    return Instant.now();
  }
}
