package io.moonpool.node.task;

import io.moonpool.model.ErrorCode;
import io.moonpool.protocol.call.DiskObject;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log events of tasks that have a name of their own, with fields, for people who count them.
 */
final class TaskEvents {
  /** An object was moved from this node's disk; fields: key, size. */
  static final String MOVED_FROM_DISK = "replica_move_local_disk_transfer_success";

  /** An object could not be loaded from this node's disk; fields: code, key. */
  static final String LOAD_FAILED = "local_disk_load_failed";

  private static final Logger LOG = LoggerFactory.getLogger(TaskEvents.class);
  private static final int LONGEST_KEY = 256;

  private final TaskStats stats;

  TaskEvents(TaskStats stats) {
    this.stats = stats;
  }

  void movedFromDisk(DiskObject object) {
    stats.movesFromDisk.increment();
    LOG.atInfo()
        .addKeyValue("key", key(object))
        .addKeyValue("size", object.size())
        .log(MOVED_FROM_DISK);
  }

  void loadFailed(DiskObject object, ErrorCode code) {
    stats.failedLoads.increment();
    LOG.atWarn().addKeyValue("code", code).addKeyValue("key", key(object)).log(LOAD_FAILED);
  }

  /** Printable, since it comes from outside: nobody forges a line of the log with it. */
  static String key(DiskObject object) {
    String key = new String(object.key(), StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", "?");
    return key.length() <= LONGEST_KEY ? key : key.substring(0, LONGEST_KEY) + "...";
  }
}
