package io.moonpool.node.disk;

import io.moonpool.transfer.Transports;
import java.lang.foreign.MemorySegment;

/**
 * What outlives a mount of the disk and promotions need.
 *
 * @param staging reads values from disk
 * @param stagingMemory where it puts them
 * @param transports write them to memory
 */
record PromotionMeans(Staging staging, MemorySegment stagingMemory, Transports transports) {}
