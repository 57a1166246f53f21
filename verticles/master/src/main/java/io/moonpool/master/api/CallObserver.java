package io.moonpool.master.api;

import org.jspecify.annotations.Nullable;

/** Is told how each call of one kind ended. Any of the listeners' loops. */
@FunctionalInterface
public interface CallObserver {
  /**
   * A call has ended.
   *
   * @param result what is answered; null for nothing, and when it failed
   * @param failure null when it did not fail
   */
  void ended(@Nullable Object result, @Nullable Throwable failure);
}
