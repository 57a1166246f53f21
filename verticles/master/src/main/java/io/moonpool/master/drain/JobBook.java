package io.moonpool.master.drain;

import io.moonpool.master.journal.Journal;
import io.moonpool.master.journal.JournalRecord;
import io.moonpool.master.journal.JournalState;
import io.moonpool.master.request.DrainForms;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is remembered of jobs, also across restarts of the master: each job as it was written last,
 * the jobs that have ended, and the segments that are held. A held segment takes no new objects
 * when it is mounted: a live job empties it, or a job has ended that emptied it or failed to.
 *
 * <p>Belongs to the control loop; futures of the journal complete elsewhere.
 */
final class JobBook {
  private static final Logger LOG = LoggerFactory.getLogger(JobBook.class);

  /** So many ended jobs are remembered. */
  static final int MAX_ENDED = 1_000;

  /** How often the figures of a job that runs are written. */
  private static final long WRITE_MILLIS = 3_000;

  private final Journal journal;
  private final Map<UUID, JournalRecord.SegmentHeld> held = new LinkedHashMap<>();
  private final LinkedHashMap<UUID, JobInfo> ended = new LinkedHashMap<>();
  private final Map<UUID, Long> writtenMillis = new HashMap<>();
  private final List<JobInfo> unfinished = new ArrayList<>();

  /** The book of a journal: read before this returns. */
  JobBook(JournalState state, Journal journal) {
    this.journal = journal;
    for (JournalRecord.SegmentHeld segment : state.heldSegments()) {
      held.put(segment.segmentId(), segment);
    }
    for (JournalRecord.DrainJobKept kept : state.drainJobs()) {
      try {
        JobInfo job = DrainForms.readJob(new JsonObject(Buffer.buffer(kept.form())));
        if (job.status().terminal()) {
          ended.put(job.id(), job);
        } else {
          unfinished.add(job);
        }
      } catch (RuntimeException e) {
        LOG.error("drain job {} of the journal cannot be read, and is left out", kept.id(), e);
      }
    }
  }

  /** The jobs that had not ended when the master did. */
  List<JobInfo> unfinished() {
    return List.copyOf(unfinished);
  }

  /** The ended jobs that are remembered, the oldest first. */
  Collection<JobInfo> ended() {
    return List.copyOf(ended.values());
  }

  @Nullable JobInfo ended(UUID id) {
    return ended.get(id);
  }

  // Segments

  boolean holds(UUID segmentId) {
    return held.containsKey(segmentId);
  }

  /** How a segment is held; null when it is not. */
  JournalRecord.@Nullable SegmentHeld held(UUID segmentId) {
    return held.get(segmentId);
  }

  /** The segments that are held. */
  List<JournalRecord.SegmentHeld> held() {
    return List.copyOf(held.values());
  }

  /**
   * Remembers a new job and holds its segments.
   *
   * @return completes when both are durable, on the journal's thread
   */
  Future<Void> begin(JobInfo job) {
    List<JournalRecord> records = new ArrayList<>();
    for (JobInfo.Source source : job.sources()) {
      JournalRecord.SegmentHeld hold =
          new JournalRecord.SegmentHeld(
              source.segmentId(), source.nodeId(), job.id(), source.name());
      held.put(source.segmentId(), hold);
      records.add(hold);
    }
    records.add(record(job));
    return journal.append(records);
  }

  /** Lets segments go that are held, whichever job wanted them. */
  void release(List<UUID> segmentIds) {
    List<JournalRecord> records = new ArrayList<>();
    for (UUID id : segmentIds) {
      if (held.remove(id) != null) {
        records.add(new JournalRecord.SegmentReleased(id));
      }
    }
    if (!records.isEmpty()) {
      // Nobody waits: a segment that is still held after a crash can be released again.
      journal.append(records);
    }
  }

  /** A job that was never begun is forgotten. */
  void forget(JobInfo job) {
    release(job.sources().stream().map(JobInfo.Source::segmentId).toList());
    journal.append(new JournalRecord.DrainJobForgotten(job.id()));
  }

  // Jobs

  /** Writes a job's figures now and then. */
  void progress(UUID id, java.util.function.Supplier<JobInfo> job, long nowMillis) {
    Long last = writtenMillis.get(id);
    if (last == null || nowMillis - last >= WRITE_MILLIS) {
      write(job.get(), nowMillis);
    }
  }

  /** Writes a job as it is. */
  void write(JobInfo job, long nowMillis) {
    writtenMillis.put(job.id(), nowMillis);
    journal.append(record(job));
  }

  /** Writes a job that has ended, and forgets the oldest when there are too many. */
  void end(JobInfo job) {
    writtenMillis.remove(job.id());
    ended.put(job.id(), job);
    journal.append(record(job));
    while (ended.size() > MAX_ENDED) {
      journal.append(new JournalRecord.DrainJobForgotten(ended.pollFirstEntry().getKey()));
    }
  }

  private static JournalRecord record(JobInfo job) {
    JsonObject form = DrainForms.job(job);
    form.remove("blocked");
    return new JournalRecord.DrainJobKept(job.id(), form.toBuffer().getBytes());
  }
}
