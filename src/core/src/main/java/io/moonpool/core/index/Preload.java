package io.moonpool.core.index;

/**
 * Brings what a batch of keys will touch into the processor's caches, so that the waits for memory
 * overlap instead of following one another key by key. An object's table slot, row, key, replica and
 * neighbours in its order are six places in memory, each reached through the one before; over many
 * objects nearly all of them are far away. Here each step is taken for all keys of a batch before
 * the next one, in loops whose iterations do not depend on each other.
 *
 * <p>Only reads, and only guesses: it changes no answer.
 */
final class Preload {
  private final IndexCore core;
  private int[] rows = {};

  /** Takes what was read, so that reading is not optimised away. */
  private long sink;

  Preload(IndexCore core) {
    this.core = core;
  }

  void run(long[] hashes, int from, int to) {
    int count = to - from;
    if (rows.length < count) {
      rows = new int[count];
    }
    long read = 0;
    // No branch may depend on what is read first here: it would be guessed wrong, and wait.
    for (int i = 0; i < count; i++) {
      long hash = hashes[from + i];
      read += core.shard(KeyHash.shard(hash)).table.peek(ObjectKey.place(hash));
    }
    for (int i = 0; i < count; i++) {
      long hash = hashes[from + i];
      Shard shard = core.shard(KeyHash.shard(hash));
      rows[i] = shard.table.guess(ObjectKey.place(hash), ObjectKey.tag(hash));
    }
    for (int i = 0; i < count; i++) {
      Shard shard = core.shard(KeyHash.shard(hashes[from + i]));
      read += shard.objects.peek(rows[i]);
      read += shard.objects.peek(shard.unpinned.last());
    }
    for (int i = 0; i < count; i++) {
      Shard shard = core.shard(KeyHash.shard(hashes[from + i]));
      ObjectRows objects = shard.objects;
      int row = rows[i];
      if (row == 0) {
        continue;
      }
      read += shard.keys.peek(objects.keyAddress(row));
      read += shard.replicas.peek(objects.firstReplica(row));
      read += objects.peek(objects.previous(row));
      read += objects.peek(objects.next(row));
    }
    sink = read;
  }

  /** What was read last; of no use but to be there. */
  long lastRead() {
    return sink;
  }
}
