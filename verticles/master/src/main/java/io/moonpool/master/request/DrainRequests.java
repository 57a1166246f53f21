package io.moonpool.master.request;

import io.moonpool.master.drain.CopyRequest;
import io.moonpool.master.drain.DrainRequest;
import io.moonpool.master.drain.MoveRequest;
import io.moonpool.protocol.json.Fields;
import java.util.List;

/** Reads what people want of drains and tasks from JSON. Any thread. */
public final class DrainRequests {
  private static final long MAX_MILLIS = 365L * 86_400_000;

  private DrainRequests() {}

  /**
   * What is to be drained, and how.
   *
   * @throws io.moonpool.model.StoreException INVALID_PARAMS
   */
  public static DrainRequest drain(Fields fields) {
    return new DrainRequest(
        fields.text("node", ""),
        fields.texts("segments"),
        fields.texts("target_segments"),
        (int)
            fields.number(
                "max_concurrency",
                DrainRequest.DEFAULT_CONCURRENCY,
                1,
                DrainRequest.MAX_CONCURRENCY),
        fields.number("max_bytes_per_second", 0, 0, Long.MAX_VALUE),
        fields.number("deadline_ms", 0, 0, MAX_MILLIS),
        fields.number("stall_timeout_ms", 0, 0, MAX_MILLIS));
  }

  /** Which replica is to be moved where. */
  public static MoveRequest move(Fields fields) {
    return new MoveRequest(
        fields.text("tenant", ""),
        fields.text("key"),
        fields.text("source"),
        fields.text("target"));
  }

  /** Which object is to be copied where. */
  public static CopyRequest copy(Fields fields) {
    List<String> targets = fields.texts("targets");
    return new CopyRequest(fields.text("tenant", ""), fields.text("key"), targets);
  }
}
