package io.moonpool.protocol.call;

import static io.moonpool.protocol.wire.Structs.field;
import static io.moonpool.protocol.wire.Structs.struct;
import static io.moonpool.protocol.wire.Structs.text;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.wire.Choices;
import io.moonpool.protocol.wire.Codec;

/**
 * The failure of a whole call.
 *
 * @param code never {@link ErrorCode#OK}
 * @param message a sentence for people: what happened and what to do
 */
public record CallError(ErrorCode code, String message) {
  static final Codec<CallError> CODEC =
      struct(field(Choices.ERROR_CODE, CallError::code), text(CallError::message), CallError::new);

  static CallError of(StoreException failure) {
    return new CallError(failure.code(), failure.sentence());
  }

  StoreException toException() {
    return new StoreException(code, message);
  }
}
