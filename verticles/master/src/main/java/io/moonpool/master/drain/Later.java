package io.moonpool.master.drain;

/** Runs something on the control loop when what runs there now is over. Any thread may call. */
@FunctionalInterface
interface Later {
  /** Runs an action later. */
  void later(Runnable action);
}
