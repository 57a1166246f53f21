package io.moonpool.bench.replay;

import io.moonpool.bench.heartbeat.MasterCaller;
import io.moonpool.model.Checksum;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.Outcome;
import io.moonpool.model.ReplicateConfig;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.EndObjects;
import io.moonpool.protocol.call.LocatedObject;
import io.moonpool.protocol.call.NamedObjects;
import io.moonpool.protocol.call.StartObjects;
import io.moonpool.protocol.call.StartedObject;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.HdrHistogram.Histogram;

/**
 * One client: asks for the blocks of a prompt, and puts those that it would have to compute. Only
 * what is there from the beginning of a prompt on is of use: a block depends on all before it.
 * Belongs to its thread.
 */
final class ReplayClient {
  private static final int MOST_KEYS = 1_000;

  private final UUID writer = UUID.randomUUID();
  private final MasterCaller caller;
  private final long blockBytes;
  private final Histogram locateNanos = new Histogram(3);
  private final Histogram putNanos = new Histogram(3);
  private long requests;
  private long blocks;
  private long hits;
  private long failedPuts;

  ReplayClient(MasterCaller caller, long blockBytes) {
    this.caller = caller;
    this.blockBytes = blockBytes;
  }

  void serve(TraceRequest request) throws InterruptedException {
    requests++;
    long[] wanted = request.blocks();
    blocks += wanted.length;
    boolean prefix = true;
    for (int from = 0; from < wanted.length; from += MOST_KEYS) {
      prefix =
          serve(
              Arrays.copyOfRange(wanted, from, Math.min(wanted.length, from + MOST_KEYS)), prefix);
    }
  }

  /** Answers whether all of them were there. */
  private boolean serve(long[] wanted, boolean prefix) throws InterruptedException {
    KeyBatch keys = keys(wanted, wanted.length);
    long begun = System.nanoTime();
    List<Outcome<LocatedObject>> located = caller.call(Calls.LOCATE, new NamedObjects("", keys));
    locateNanos.recordValue(System.nanoTime() - begun);
    long[] missing = new long[wanted.length];
    int count = 0;
    boolean all = prefix;
    for (int i = 0; i < wanted.length; i++) {
      if (!located.get(i).ok()) {
        all = false;
        missing[count++] = wanted[i];
      } else if (all) {
        hits++;
      }
    }
    if (count > 0) {
      put(keys(missing, count));
    }
    return all;
  }

  private static KeyBatch keys(long[] wanted, int count) {
    KeyBatch keys = new KeyBatch(count);
    for (int i = 0; i < count; i++) {
      keys.add(String.format(Locale.ROOT, "moonpool/bench/replay/kv-%016x", wanted[i]));
    }
    return keys;
  }

  private void put(KeyBatch keys) throws InterruptedException {
    int count = keys.size();
    long[] sizes = new long[count];
    Arrays.fill(sizes, blockBytes);
    long begun = System.nanoTime();
    List<Outcome<StartedObject>> started =
        caller.call(
            Calls.PUT_START, new StartObjects(writer, "", keys, sizes, ReplicateConfig.DEFAULT));
    KeyBatch ended = new KeyBatch(count);
    long[] versions = new long[count];
    for (int i = 0; i < count; i++) {
      if (started.get(i).ok()) {
        versions[ended.size()] = started.get(i).get().version();
        ended.add(keys.bytes(), keys.offset(i), keys.length(i));
      }
    }
    failedPuts += count - ended.size();
    if (ended.size() > 0) {
      List<Outcome<Void>> done =
          caller.call(
              Calls.END,
              new EndObjects(
                  writer,
                  "",
                  ended,
                  Arrays.copyOf(versions, ended.size()),
                  Collections.nCopies(ended.size(), Checksum.NONE)));
      failedPuts += done.stream().filter(each -> !each.ok()).count();
    }
    putNanos.recordValue(System.nanoTime() - begun);
  }

  /** What some clients saw together. */
  static ReplayFigures sum(List<ReplayClient> clients, long evicted, double seconds) {
    Histogram locate = new Histogram(3);
    Histogram put = new Histogram(3);
    clients.forEach(
        client -> {
          locate.add(client.locateNanos);
          put.add(client.putNanos);
        });
    return new ReplayFigures(
        clients.stream().mapToLong(client -> client.requests).sum(),
        clients.stream().mapToLong(client -> client.blocks).sum(),
        clients.stream().mapToLong(client -> client.hits).sum(),
        clients.stream().mapToLong(client -> client.failedPuts).sum(),
        evicted,
        seconds,
        locate,
        put);
  }
}
