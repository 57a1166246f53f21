package io.moonpool.core.planted;

import java.util.concurrent.ThreadLocalRandom;

/** A violation: randomness is an argument. */
public final class RollsDice {
  int roll() {
    return ThreadLocalRandom.current().nextInt(6);
  }
}
