package io.moonpool.core.allocation;

import io.moonpool.model.ErrorCode;

/** What became of a wish for space. */
public enum AllocationResult {
  /** At least one replica has its space. */
  ALLOCATED(ErrorCode.OK, false),
  /** The size or the number of replicas is not positive. */
  INVALID(ErrorCode.INVALID_PARAMS, false),
  /** Every segment that could hold the object is too full; eviction would help. */
  FULL(ErrorCode.NO_AVAILABLE_HANDLE, true),
  /** There is no segment that could hold the object even if it were empty; eviction is useless. */
  NO_SEGMENT(ErrorCode.NO_AVAILABLE_HANDLE, false),
  /**
   * Other loops were using the segments that may have room. Try again in a later turn of the loop;
   * who gives up answers the code.
   */
  BUSY(ErrorCode.NO_AVAILABLE_HANDLE, false);

  private final ErrorCode code;
  private final boolean evictionHelps;

  AllocationResult(ErrorCode code, boolean evictionHelps) {
    this.code = code;
    this.evictionHelps = evictionHelps;
  }

  /** The error of the table, {@link ErrorCode#OK} for {@link #ALLOCATED}. */
  public ErrorCode code() {
    return code;
  }

  /** True when evicting objects would make the same wish succeed. */
  public boolean evictionHelps() {
    return evictionHelps;
  }
}
