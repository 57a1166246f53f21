package io.moonpool.master.drain;

import java.util.List;

/**
 * Wishes that an object has replicas on more segments.
 *
 * @param tenant empty for the default one
 * @param targets names or ids of memory segments, at least one
 */
public record CopyRequest(String tenant, String key, List<String> targets) {
  /** Copies the list. */
  public CopyRequest {
    targets = List.copyOf(targets);
  }
}
