package io.moonpool.core.index;

import io.moonpool.core.allocation.ExtentList;
import io.moonpool.core.allocation.Placement;
import java.util.function.LongSupplier;

/**
 * Where a lane finds space for what it moves.
 *
 * @param placement of this moment
 * @param watermark how full, 0 to 1, a segment may get whose node has no disk: what is moved there
 *     must not push others out
 * @param evicts whether anything is evicted to make room
 * @param random any 64 bits, the only source of chance
 * @param extents scratch
 */
public record LaneRoom(
    Placement placement,
    double watermark,
    boolean evicts,
    LongSupplier random,
    ExtentList extents) {}
