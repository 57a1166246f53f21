package io.moonpool.app.command;

import java.nio.file.Path;

/** The folder of the installation: where {@code conf/} and {@code docs/} lie. */
final class Home {
  private static final String PROPERTY = "moonpool.home";

  private Home() {}

  /** As the launcher says; without it the working directory. */
  static Path folder() {
    return Path.of(System.getProperty(PROPERTY, ""));
  }
}
