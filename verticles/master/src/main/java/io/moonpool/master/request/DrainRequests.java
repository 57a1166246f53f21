package io.moonpool.master.request;

import io.moonpool.master.drain.CopyRequest;
import io.moonpool.master.drain.DrainRequest;
import io.moonpool.master.drain.MoveRequest;
import io.moonpool.protocol.json.Fields;
import java.util.List;

/** Reads what people want of drains and tasks from JSON. Any thread. */
public final class DrainRequests {
  private DrainRequests() {}

  /**
   * What is to be drained, and how. The request itself checks its figures, for all interfaces.
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
                Integer.MIN_VALUE,
                Integer.MAX_VALUE),
        fields.number("max_bytes_per_second", 0, Long.MIN_VALUE, Long.MAX_VALUE),
        fields.number("deadline_ms", 0, Long.MIN_VALUE, Long.MAX_VALUE),
        fields.number("stall_timeout_ms", 0, Long.MIN_VALUE, Long.MAX_VALUE));
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
