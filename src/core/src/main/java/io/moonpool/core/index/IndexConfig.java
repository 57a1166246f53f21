package io.moonpool.core.index;

/**
 * What an {@link ObjectIndex} is told once.
 *
 * @param leaseTtlMillis how long a read lease lasts, at least 1
 * @param clockSkewMillis how long after the end of a lease or grant its holder may still believe in
 *     it, not negative
 * @param firstSequence where each shard's numbers begin, at least 1: greater than any that an
 *     earlier life of this master gave, when versions outlive it. A version is the number times
 *     1,024 plus the shard, so it must stay below 2<sup>53</sup>
 * @param offload when objects are copied from memory to disks
 * @param promotion when they are copied back
 * @param mooncakeGrantMillis how long clients of Mooncake may write the targets of copies and moves
 *     that they carry out, if that is longer than what is granted otherwise: they keep to no
 *     deadline. So long the space of a write that is given up is kept in memory that they lend, too
 */
public record IndexConfig(
    long leaseTtlMillis,
    long clockSkewMillis,
    long firstSequence,
    OffloadPolicy offload,
    PromotionPolicy promotion,
    long mooncakeGrantMillis) {
  private static final long MAX_FIRST_SEQUENCE = (1L << 52) - 1;

  /** Without offload and promotion. */
  public IndexConfig(long leaseTtlMillis, long clockSkewMillis, long firstSequence) {
    this(leaseTtlMillis, clockSkewMillis, firstSequence, OffloadPolicy.OFF);
  }

  /** Without clients of Mooncake. */
  public IndexConfig(
      long leaseTtlMillis,
      long clockSkewMillis,
      long firstSequence,
      OffloadPolicy offload,
      PromotionPolicy promotion) {
    this(leaseTtlMillis, clockSkewMillis, firstSequence, offload, promotion, 0);
  }

  /** Without promotion. */
  public IndexConfig(
      long leaseTtlMillis, long clockSkewMillis, long firstSequence, OffloadPolicy offload) {
    this(leaseTtlMillis, clockSkewMillis, firstSequence, offload, PromotionPolicy.OFF);
  }

  /** Checks the values. */
  public IndexConfig {
    if (leaseTtlMillis < 1 || clockSkewMillis < 0) {
      throw new IllegalArgumentException(
          "the lease must last at least 1 ms and the clock skew must not be negative: "
              + leaseTtlMillis
              + " ms, "
              + clockSkewMillis
              + " ms");
    }
    if (firstSequence < 1 || firstSequence > MAX_FIRST_SEQUENCE) {
      throw new IllegalArgumentException(
          "the first number must be 1 to 2^52 - 1: " + firstSequence);
    }
  }
}
