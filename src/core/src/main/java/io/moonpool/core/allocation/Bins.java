package io.moonpool.core.allocation;

import java.util.Arrays;

/**
 * Free extents sorted by size class, and which classes have any.
 *
 * <p>A class is a small float: sizes below 32 have a class each; above, the class is the position
 * of the highest bit and the five bits after it. So a class spans less than 1/32 of its size. 29
 * words of 32 bits say which classes are not empty, one word says which of those words are not
 * zero: the next class that is not empty is found with two bit scans.
 */
final class Bins {
  /** No class. */
  static final int NONE = -1;

  private static final int MANTISSA_BITS = 5;
  private static final int MANTISSAS = 1 << MANTISSA_BITS;

  /** Sizes go up to 2^32. */
  private static final int WORDS = 32 - MANTISSA_BITS + 2;

  private static final int COUNT = WORDS * MANTISSAS;

  private final int[] heads = new int[COUNT];
  private final int[] words = new int[WORDS];
  private int summary;

  Bins() {
    Arrays.fill(heads, NodeTable.NONE);
  }

  /** The class of a size of 1 to 2^32. */
  static int of(long size) {
    if (size < MANTISSAS) {
      return (int) size;
    }
    int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(size) - MANTISSA_BITS;
    return (shift + 1) * MANTISSAS + (int) (size >>> shift) - MANTISSAS;
  }

  /** The smallest size in a class. */
  static long floor(int bin) {
    if (bin < MANTISSAS) {
      return bin;
    }
    int shift = bin / MANTISSAS - 1;
    return (long) (bin % MANTISSAS + MANTISSAS) << shift;
  }

  int head(int bin) {
    return heads[bin];
  }

  void setHead(int bin, int node) {
    heads[bin] = node;
    int word = bin / MANTISSAS;
    if (node == NodeTable.NONE) {
      words[word] &= ~(1 << (bin % MANTISSAS));
      if (words[word] == 0) {
        summary &= ~(1 << word);
      }
    } else {
      words[word] |= 1 << (bin % MANTISSAS);
      summary |= 1 << word;
    }
  }

  /** The lowest class above that one that is not empty, or {@link #NONE}. */
  int above(int bin) {
    int from = bin + 1;
    if (from >= COUNT) {
      return NONE;
    }
    int word = from / MANTISSAS;
    int rest = words[word] & (-1 << (from % MANTISSAS));
    if (rest == 0) {
      int higher = word + 1 == WORDS ? 0 : summary & (-1 << (word + 1));
      if (higher == 0) {
        return NONE;
      }
      word = Integer.numberOfTrailingZeros(higher);
      rest = words[word];
    }
    return word * MANTISSAS + Integer.numberOfTrailingZeros(rest);
  }

  /** The highest class that is not empty, or {@link #NONE}. */
  int highest() {
    if (summary == 0) {
      return NONE;
    }
    int word = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(summary);
    return word * MANTISSAS + Integer.SIZE - 1 - Integer.numberOfLeadingZeros(words[word]);
  }
}
