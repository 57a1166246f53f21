package io.moonpool.protocol.call;

import java.util.List;
import java.util.UUID;

/**
 * Starts a copy or move that the caller carries out: the source is held, and memory is reserved on
 * the targets. The answer names the client in place of a task; {@link EndTransfer} ends it.
 *
 * @param client who carries it out; only that client may end it
 * @param tenant empty for the default one
 * @param key its bytes. Not copied: do not write to it.
 * @param source name or id of the segment that is read; empty for any, which only a copy may say
 * @param targets names or ids of the memory segments that get a replica; one for a move. Those that
 *     have one are left out of the answer
 */
public record StartTransfer(
    UUID client, String tenant, byte[] key, String source, List<String> targets) {
  /** Copies the list. */
  public StartTransfer {
    targets = List.copyOf(targets);
  }
}
