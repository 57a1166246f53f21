package io.moonpool.bench.allocator;

import java.util.Locale;
import java.util.SplittableRandom;

/** The sizes of what is stored. */
public enum SizeMix {
  /** All of one size: 64 KiB. */
  ONE_SIZE {
    @Override
    long next(SplittableRandom random) {
      return 64 << 10;
    }
  },
  /** Any size from 4 KiB to 1 MiB, each as often as any other. */
  UNIFORM {
    @Override
    long next(SplittableRandom random) {
      return random.nextLong(LEAST, MOST + 1);
    }
  },
  /**
   * From 4 KiB to 16 MiB, most of them small: twice the size is half as often, so that each
   * magnitude takes about as much space as any other.
   */
  POWER_LAW {
    @Override
    long next(SplittableRandom random) {
      // The inverse of the distribution function of a density that falls with the square.
      double left = 1 - random.nextDouble() * (1 - (double) LEAST / LARGE);
      return (long) (LEAST / left);
    }
  };

  private static final long LEAST = 4 << 10;
  private static final long MOST = 1 << 20;
  private static final long LARGE = 16 << 20;

  /** The next size, in bytes. */
  abstract long next(SplittableRandom random);

  /** As it is printed. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
