package io.moonpool.core.segment;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.Outcome;

/**
 * What became of the wish to mount one segment.
 *
 * @param code {@link ErrorCode#OK} when it is mounted, also when it was before
 * @param generation of the mount; 0 on errors
 * @param message on errors, a sentence for people: what is wrong and what to do; otherwise empty
 */
public record MountResult(ErrorCode code, long generation, String message) {
  static MountResult mounted(long generation) {
    return new MountResult(ErrorCode.OK, generation, "");
  }

  static MountResult refused(ErrorCode code, String message) {
    return new MountResult(code, 0, message);
  }

  /** The generation, or the error. */
  public Outcome<Long> toOutcome() {
    return code == ErrorCode.OK ? Outcome.of(generation) : Outcome.error(code);
  }
}
