package io.moonpool.storage;

import java.util.concurrent.atomic.LongAdder;

/** What a store counts. Any thread adds, any thread reads. */
final class StoreCounters {
  final LongAdder readObjects = new LongAdder();
  final LongAdder readBytes = new LongAdder();
  final LongAdder readFailures = new LongAdder();
  final LongAdder bufferedOpens = new LongAdder();
  final LongAdder damagedObjects = new LongAdder();
  final LongAdder damagedDescriptors = new LongAdder();
  final LongAdder storedObjects = new LongAdder();
  final LongAdder storedBytes = new LongAdder();
  final LongAdder commits = new LongAdder();
  final LongAdder abandonedBuckets = new LongAdder();
  final LongAdder outOfSpace = new LongAdder();
  final LongAdder laidTombstones = new LongAdder();
  final LongAdder evictedBuckets = new LongAdder();
  final LongAdder evictedBytes = new LongAdder();
}
