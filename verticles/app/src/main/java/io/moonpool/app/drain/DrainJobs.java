package io.moonpool.app.drain;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.JobStatus;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.json.JsonForms;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Drain jobs, copies and moves of a master. Jobs and tasks are JSON as its REST interface tells
 * them. Calls block and fail like those of {@link MasterRest}.
 */
public final class DrainJobs {
  private static final String JOBS = "/api/v1/drain_jobs";
  private static final String TASKS = "/api/v1/tasks";
  private static final Set<String> ENDS =
      Arrays.stream(JobStatus.values())
          .filter(JobStatus::terminal)
          .map(JsonForms::name)
          .collect(Collectors.toUnmodifiableSet());

  /** A master that is being restarted is back in that time. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final long RETRY_MILLIS = 500;
  private static final long LOOK_MILLIS = 1_000;

  private final MasterRest rest;

  /** The jobs of that master. */
  public DrainJobs(MasterRest rest) {
    this.rest = rest;
  }

  /** Starts a job. */
  public JsonObject create(JsonObject request) {
    return rest.post(JOBS, request);
  }

  /** What such a job would do. */
  public JsonObject plan(JsonObject request) {
    return rest.post(JOBS, request.copy().put("plan", true));
  }

  /** A job. */
  public JsonObject job(String id) {
    return rest.get(JOBS + "/" + MasterRest.encoded(id));
  }

  /** All jobs, the newest first. */
  public JsonArray jobs() {
    return rest.get(JOBS).getJsonArray("jobs");
  }

  /** Ends a job. */
  public JsonObject cancel(String id) {
    return rest.post(JOBS + "/" + MasterRest.encoded(id) + "/cancel", new JsonObject());
  }

  /**
   * Has the segments of a node, or a segment, take objects again.
   *
   * @return these segments
   */
  public JsonArray undrain(String name) {
    try {
      return undrain(new JsonObject().put("node", name));
    } catch (StoreException e) {
      if (e.code() != ErrorCode.CLIENT_NOT_FOUND) {
        throw e;
      }
      return undrain(new JsonObject().put("segments", new JsonArray(List.of(name))));
    }
  }

  private JsonArray undrain(JsonObject which) {
    return rest.post("/api/v1/undrain", which).getJsonArray("segments");
  }

  /** Starts a copy or move. */
  public JsonObject createTask(JsonObject request) {
    return rest.post(TASKS, request);
  }

  /** A copy or move. */
  public JsonObject task(String id) {
    return rest.get(TASKS + "/" + MasterRest.encoded(id));
  }

  /**
   * The latest copies and moves.
   *
   * @param status empty: all
   * @param job empty: all
   */
  public JsonArray tasks(String status, String job, int limit) {
    return rest.get(
            TASKS
                + "?limit="
                + limit
                + (status.isEmpty() ? "" : "&status=" + MasterRest.encoded(status))
                + (job.isEmpty() ? "" : "&job_id=" + MasterRest.encoded(job)))
        .getJsonArray("tasks");
  }

  /** Whether a job has ended. */
  public static boolean hasEnded(JsonObject job) {
    return ENDS.contains(job.getString("status"));
  }

  /**
   * Follows a job to its end. A master that is away for a while is waited for: jobs survive its
   * restart.
   *
   * @param limit how long, at most
   * @param listener is told how the job is, at least once a second while the master is there, also
   *     when nothing has changed
   * @return the job as it is then: it has not ended when the time was over
   */
  public JsonObject follow(String id, Duration limit, Consumer<JsonObject> listener)
      throws InterruptedException {
    long endNanos = System.nanoTime() + limit.toNanos();
    long heardNanos = System.nanoTime();
    JsonObject last = job(id);
    listener.accept(last);
    while (!hasEnded(last) && System.nanoTime() - endNanos < 0) {
      try (MasterRest.Events events =
          rest.events(JOBS + "/" + MasterRest.encoded(id) + "/events")) {
        while (!hasEnded(last) && !events.isOver() && System.nanoTime() - endNanos < 0) {
          heardNanos = System.nanoTime();
          MasterRest.Event now = events.next(waitMillis(endNanos));
          if (now != null) {
            last = now.data();
          }
          if (now != null || !events.isOver()) {
            listener.accept(last);
          }
        }
      } catch (StoreException e) {
        if (!isAway(e) || System.nanoTime() - heardNanos > PATIENCE.toNanos()) {
          throw e;
        }
      }
      if (!hasEnded(last)) {
        Thread.sleep(Math.min(RETRY_MILLIS, waitMillis(endNanos)));
      }
    }
    return hasEnded(last) ? last : latest(id, last);
  }

  /** A job that nobody waits for any more: what was told last may be old. */
  private JsonObject latest(String id, JsonObject last) {
    try {
      return job(id);
    } catch (StoreException e) {
      if (!isAway(e)) {
        throw e;
      }
      return last;
    }
  }

  private static boolean isAway(StoreException failure) {
    return switch (failure.code()) {
      case RPC_FAIL, RPC_TIMEOUT, UNAVAILABLE_IN_CURRENT_STATUS -> true;
      default -> false;
    };
  }

  private static long waitMillis(long endNanos) {
    long leftMillis = (endNanos - System.nanoTime()) / 1_000_000;
    return Math.max(0, Math.min(LOOK_MILLIS, leftMillis));
  }

  /** The objects that wait or have failed, a line each: the key, and why. */
  public static List<String> blocked(@Nullable JsonArray units) {
    return units == null
        ? List.of()
        : units.stream()
            .map(unit -> (JsonObject) unit)
            .map(unit -> unit.getString("key") + ": " + unit.getString("reason"))
            .toList();
  }
}
