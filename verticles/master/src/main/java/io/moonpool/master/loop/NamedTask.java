package io.moonpool.master.loop;

/** A task of an event loop that can say what it does, for the log. */
interface NamedTask extends Runnable {
  /** Its name; asked for on the loop, after it has run. */
  String name();
}
