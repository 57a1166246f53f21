package io.moonpool.master.drain;

/** A listener that hears the events of a job. Any thread may call. */
@FunctionalInterface
public interface DrainWatch {
  /** Has it hear no more; an event that is on its way may still come. */
  void stop();
}
