package io.moonpool.app.demo;

/** The demo found something wrong. The message names the object and what was wrong with it. */
public final class DemoFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** A message for people. */
  public DemoFailure(String message) {
    super(message, null, false, false);
  }
}
