package io.moonpool.storage.file;

/** The machine is off: whatever the program was doing ends here. */
public final class PowerCut extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PowerCut() {
    super("power cut", null, false, false);
  }
}
