package io.moonpool.node.line;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import java.io.IOException;

/** Words for an address that cannot be listened on. */
public final class ListenFailure {
  private ListenFailure() {}

  /**
   * Names the settings of what cannot be listened on; other failures stay as they are.
   *
   * @param what listens
   * @param portSetting the name of the port's setting
   */
  public static Throwable explained(
      Throwable failure, String what, String host, int port, String portSetting) {
    return failure instanceof IOException
        ? new StoreException(
            ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS,
            what
                + " cannot listen on "
                + host
                + ":"
                + port
                + ": "
                + failure.getMessage()
                + "; data_host must be an address of this machine, and "
                + portSetting
                + " free, or 0 for any free one")
        : failure;
  }
}
