package io.moonpool.node.rest;

import io.moonpool.model.ErrorCode;

/**
 * A request whose HTTP status says more than the error table does. Carries no stack trace: it is a
 * value on its way to the answer.
 */
final class RefusedRequest extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final ErrorCode code;
  private final String sentence;

  /**
   * A refusal.
   *
   * @param status of the answer
   * @param sentence for people: what happened and what to do
   */
  RefusedRequest(int status, ErrorCode code, String sentence) {
    super(sentence, null, false, false);
    this.status = status;
    this.code = code;
    this.sentence = sentence;
  }

  int status() {
    return status;
  }

  ErrorCode code() {
    return code;
  }

  String sentence() {
    return sentence;
  }
}
