package io.moonpool.core.index;

/**
 * Brings what a batch of keys will touch into the processor's caches, so that the waits for memory
 * overlap instead of following one another key by key. An object's table slot, row, key, replica
 * and neighbours in its order are six places in memory, each reached through the one before; over
 * many objects nearly all of them are far away. Here each step is taken for all keys of a batch
 * before the next one, in loops whose iterations do not depend on each other.
 *
 * <p>Only reads, and only guesses: it changes no answer.
 */
final class Preload {
  private final IndexCore core;
  private final ObjectRows objects;
  private final ReplicaRows replicas;
  private final KeySlab keys;
  private int[] rows = {};

  /** Takes what was read, so that reading is not optimised away. */
  private long sink;

  Preload(IndexCore core) {
    this.core = core;
    objects = core.objects;
    replicas = core.replicas;
    keys = core.keys;
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
      read += core.shard(KeyHash.shard(hash)).peek(ObjectKey.place(hash));
    }
    for (int i = 0; i < count; i++) {
      long hash = hashes[from + i];
      rows[i] = core.shard(KeyHash.shard(hash)).guess(ObjectKey.place(hash), ObjectKey.tag(hash));
      read += objects.peek(rows[i]);
    }
    for (int i = 0; i < count; i++) {
      int row = rows[i];
      read += keys.peek(objects.keyAddress(row));
      read += replicas.peek(replicas.first(row));
      read += objects.previous(objects.previous(row));
      read += objects.next(objects.next(row));
    }
    sink = read;
  }

  /** The same for rows that are going to be removed. */
  void runRemovals(int[] removed, int count) {
    long read = 0;
    for (int i = 0; i < count; i++) {
      read += objects.peek(removed[i]);
    }
    for (int i = 0; i < count; i++) {
      int row = removed[i];
      read += keys.keyLength(objects.keyAddress(row));
      read += replicas.peek(replicas.first(row));
      read += core.shardOf(row).peek(objects.hash(row));
    }
    for (int i = 0; i < count; i++) {
      int row = removed[i];
      int replica = replicas.first(row);
      read += replicas.peek(replicas.previousInSlot(replica));
      read += replicas.peek(replicas.nextInSlot(replica));
    }
    sink = read;
  }

  /** What was read last; of no use but to be there. */
  long lastRead() {
    return sink;
  }
}
