package io.moonpool.master.drain;

import io.moonpool.model.JobStatus;
import io.moonpool.protocol.json.JsonForms;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells who listens what happens to jobs: each status at once, figures at most four times a second.
 * Belongs to the control loop.
 */
final class DrainEvents {
  private static final long PROGRESS_MILLIS = 250;

  private final DrainClock clock;
  private final Consumer<DrainEvent> everybody;
  private final Map<UUID, Told> jobs = new HashMap<>();

  /** What was told of a job. */
  private static final class Told {
    final List<DrainListener> listeners = new ArrayList<>();
    @Nullable JobStatus status;
    long atMillis;
    DrainClock.@Nullable Timer timer;
  }

  /**
   * Events.
   *
   * @param everybody hears all of them
   */
  DrainEvents(DrainClock clock, Consumer<DrainEvent> everybody) {
    this.clock = clock;
    this.everybody = everybody;
  }

  /** A job changed. */
  void changed(UUID id, JobStatus status, Supplier<JobInfo> job) {
    Told told = jobs.computeIfAbsent(id, ignored -> new Told());
    if (told.status != status) {
      told.status = status;
      tell(told, JsonForms.name(status), job);
      if (status.terminal()) {
        jobs.remove(id);
      }
      return;
    }
    if (told.timer != null) {
      return;
    }
    long waitMillis = told.atMillis + PROGRESS_MILLIS - clock.nowMillis();
    if (waitMillis <= 0) {
      tell(told, DrainEvent.PROGRESS, job);
    } else {
      told.timer = clock.in(waitMillis, () -> tell(told, DrainEvent.PROGRESS, job));
    }
  }

  private void tell(Told told, String event, Supplier<JobInfo> job) {
    if (told.timer != null) {
      told.timer.cancel();
      told.timer = null;
    }
    told.atMillis = clock.nowMillis();
    DrainEvent now = new DrainEvent(event, job.get());
    everybody.accept(now);
    List.copyOf(told.listeners).forEach(listener -> listener.happened(now));
  }

  /** Tells a listener how a live job is, and from then on what happens to it. */
  DrainWatch watch(JobInfo job, DrainListener listener) {
    listener.happened(new DrainEvent(JsonForms.name(job.status()), job));
    if (job.status().terminal()) {
      return () -> {};
    }
    Told told = jobs.computeIfAbsent(job.id(), ignored -> new Told());
    if (told.status == null) {
      told.status = job.status();
    }
    told.listeners.add(listener);
    return () -> told.listeners.remove(listener);
  }
}
