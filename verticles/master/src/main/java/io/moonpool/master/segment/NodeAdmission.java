package io.moonpool.master.segment;

import io.moonpool.model.ClientState;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.Outcome;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the segment owner asks the client monitor. On the control loop, which both run on: between
 * an admission and what follows from it no client can go OFFLINE.
 */
public interface NodeAdmission {
  /** Whether a message of that incarnation may be carried out; see {@code ClientRegistry.admit}. */
  ErrorCode admit(UUID nodeId, long incarnation);

  /**
   * The failure of a message that is not admitted.
   *
   * @param code what {@link #admit} answered, not OK
   */
  static StoreException refusal(ErrorCode code, UUID nodeId) {
    return new StoreException(
        code,
        "node "
            + nodeId
            + " is not registered at this master with that incarnation: register it again");
  }

  /** The state of the node's latest incarnation. */
  ClientState state(UUID nodeId);

  /** The observed clock, in milliseconds. */
  long observedMillis();

  /**
   * A message of that incarnation succeeded: it was heard from when the message came.
   *
   * @param arrivedMillis what {@link #observedMillis} was then
   */
  void observe(UUID nodeId, long incarnation, long arrivedMillis);

  /** As below, for a message that came just now. */
  default <T> Future<T> admitted(UUID nodeId, long incarnation, Supplier<Future<T>> body) {
    return admitted(nodeId, incarnation, observedMillis(), body);
  }

  /**
   * Carries out a message if its incarnation may. When that succeeds it is a signal of the time at
   * which the message came: one that had to wait for its turn, or for something else, as calls for
   * work do, says nothing about how the node is now. A batch of which every item failed is no
   * success.
   *
   * @param arrivedMillis what {@link #observedMillis} was when the message came
   */
  default <T> Future<T> admitted(
      UUID nodeId, long incarnation, long arrivedMillis, Supplier<Future<T>> body) {
    ErrorCode admission = admit(nodeId, incarnation);
    if (admission != ErrorCode.OK) {
      return Future.failedFuture(refusal(admission, nodeId));
    }
    return body.get()
        .onSuccess(
            answer -> {
              if (!hasFailed(answer)) {
                observe(nodeId, incarnation, arrivedMillis);
              }
            });
  }

  private static boolean hasFailed(@Nullable Object answer) {
    return answer instanceof List<?> items
        && !items.isEmpty()
        && items.stream().allMatch(item -> item instanceof Outcome<?> outcome && !outcome.ok());
  }
}
