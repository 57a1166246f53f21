package io.moonpool.model;

/**
 * The failure of a future or call that ended with an error of the table. Carries no stack trace: it
 * is a value on its way to a caller, not a fault of this program.
 */
public final class StoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final String sentence;

  /** A failure with the table's own sentence. */
  public StoreException(ErrorCode code) {
    this(code, code.sentence());
  }

  /**
   * A failure that says more than the table does.
   *
   * @param message a sentence for people: what happened and what to do
   */
  public StoreException(ErrorCode code, String message) {
    super(code.name() + ": " + message, null, false, false);
    this.code = code;
    this.sentence = message;
  }

  /** The error, never {@link ErrorCode#OK}. */
  public ErrorCode code() {
    return code;
  }

  /** What happened and what to do, without the name of the code. */
  public String sentence() {
    return sentence;
  }

  /** The code of any failure: its own, or {@link ErrorCode#INTERNAL_ERROR}. */
  public static ErrorCode codeOf(Throwable failure) {
    return failure instanceof StoreException e ? e.code() : ErrorCode.INTERNAL_ERROR;
  }
}
