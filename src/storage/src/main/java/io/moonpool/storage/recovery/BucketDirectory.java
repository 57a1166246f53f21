package io.moonpool.storage.recovery;

import io.moonpool.storage.bucket.BucketFiles;
import io.moonpool.storage.bucket.LongArray;
import io.moonpool.storage.bucket.TombstoneLog;
import io.moonpool.storage.file.FileEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The files of the bucket directory, sorted by what they are.
 *
 * @param indexes index files and their sizes, by bucket id in order
 * @param data data files and their sizes, by bucket id
 * @param evicting buckets whose eviction had begun
 * @param aside names of files that were being written
 * @param tombstones sequence numbers of tombstone files
 * @param unknown names that the store did not write
 */
record BucketDirectory(
    TreeMap<Long, Long> indexes,
    Map<Long, Long> data,
    List<Long> evicting,
    List<String> aside,
    LongArray tombstones,
    List<String> unknown) {

  static BucketDirectory of(List<FileEntry> entries) {
    BucketDirectory sorted =
        new BucketDirectory(
            new TreeMap<>(),
            new HashMap<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new LongArray(),
            new ArrayList<>());
    entries.forEach(sorted::add);
    return sorted;
  }

  private void add(FileEntry entry) {
    String name = entry.name();
    OptionalLong index = BucketFiles.id(name, BucketFiles.INDEX);
    OptionalLong values = BucketFiles.id(name, BucketFiles.DATA);
    OptionalLong doomed = BucketFiles.id(name, BucketFiles.EVICTING);
    OptionalLong log = TombstoneLog.sequence(name);
    if (entry.directory()) {
      unknown.add(name);
    } else if (index.isPresent()) {
      indexes.put(index.getAsLong(), entry.bytes());
    } else if (values.isPresent()) {
      data.put(values.getAsLong(), entry.bytes());
    } else if (doomed.isPresent()) {
      evicting.add(doomed.getAsLong());
    } else if (log.isPresent()) {
      tombstones.add(log.getAsLong());
    } else if (name.endsWith(BucketFiles.ASIDE)) {
      aside.add(name);
    } else {
      unknown.add(name);
    }
  }
}
