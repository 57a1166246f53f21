package io.moonpool.master.loop;

/** What runs on an event loop and can say what it does, for the log. */
interface NamedHandler {
  /** Its name; asked for on the loop, after it has run. */
  String name();
}
