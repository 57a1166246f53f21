package io.moonpool.master.drain;

/** Hears what happens to a drain job. Called on the control loop: hand it on, return at once. */
@FunctionalInterface
public interface DrainListener {
  /** An event. After one whose job has a terminal status there is none any more. */
  void happened(DrainEvent event);
}
