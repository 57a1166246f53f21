package io.moonpool.transfer;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;

/** Why a data server did not do what a request asked, as a number on the wire. */
enum Refusal {
  /** Not refused. */
  NONE(0, ErrorCode.OK, "done"),
  /** The request is for a process that listened here before. */
  WRONG_SERVER(
      1,
      ErrorCode.TRANSFER_FAIL,
      "another process listens at the segment's address now: ask the master for the current one"),
  /** No such segment, or it is unregistered. */
  UNKNOWN_SEGMENT(
      2, ErrorCode.TRANSFER_FAIL, "the peer does not lend this segment: it was unmounted"),
  /** Registered, but without a generation yet. */
  NOT_ACTIVE(3, ErrorCode.TRANSFER_FAIL, "the peer has not mounted this segment yet: try again"),
  /** The segment was mounted again since the location was learned, or never under this one. */
  WRONG_GENERATION(
      4,
      ErrorCode.TRANSFER_FAIL,
      "the segment was mounted again: ask the master where the object is now"),
  /** Bytes outside the segment. */
  OUT_OF_RANGE(5, ErrorCode.TRANSFER_FAIL, "the range is outside the segment"),
  /** The grant or lease ran out before the bytes were there. */
  DEADLINE_PASSED(
      6, ErrorCode.LEASE_EXPIRED, "the deadline passed before the peer had all bytes: start again"),
  /** The segment was unregistered or mounted again while bytes were on their way. */
  WITHDRAWN(7, ErrorCode.TRANSFER_FAIL, "the peer withdrew the segment during the transfer"),
  /** A frame that this version does not understand; the peer closes the connection. */
  MALFORMED(8, ErrorCode.TRANSFER_FAIL, "the peer does not understand the request"),
  /** The segment is not offered through this transport, or to no further process. */
  NOT_OFFERED(
      9, ErrorCode.TRANSFER_FAIL, "the peer does not offer the segment through this transport");

  private static final Refusal[] VALUES = values();

  private final int number;
  private final ErrorCode code;
  private final String sentence;

  Refusal(int number, ErrorCode code, String sentence) {
    this.number = number;
    this.code = code;
    this.sentence = sentence;
  }

  /** The number on the wire. */
  int number() {
    return number;
  }

  /** The refusal with that number; {@link #MALFORMED} for numbers of newer versions. */
  static Refusal ofNumber(int number) {
    return number >= 0 && number < VALUES.length ? VALUES[number] : MALFORMED;
  }

  /** What a caller gets. */
  StoreException exception() {
    return new StoreException(code, sentence);
  }
}
