package io.moonpool.core.index;

import io.moonpool.model.ObjectDataType;
import io.moonpool.model.SoftPinAction;
import java.util.UUID;

/**
 * What a write asks for, the same for all keys of a batch.
 *
 * @param writer only it may end or revoke the write
 * @param grantMillis how long it may write, at least 1
 * @param softPinAction what happens to the object's soft pin when the write completes
 * @param softPinTtlMillis for {@link SoftPinAction#ENABLE}: how long from then; 0 un-pins
 * @param hardPin never evict the object; once pinned so, it stays pinned
 * @param dataType a classification that is stored and returned
 */
public record WriteTerms(
    UUID writer,
    long grantMillis,
    SoftPinAction softPinAction,
    long softPinTtlMillis,
    boolean hardPin,
    ObjectDataType dataType) {

  /** Checks the times. */
  public WriteTerms {
    if (grantMillis < 1 || softPinTtlMillis < 0) {
      throw new IllegalArgumentException(
          "a write grant is at least 1 ms and a soft pin is not negative: "
              + grantMillis
              + " ms, "
              + softPinTtlMillis
              + " ms");
    }
  }

  /** The same with another grant. */
  public WriteTerms withGrant(long millis) {
    return millis == grantMillis
        ? this
        : new WriteTerms(writer, millis, softPinAction, softPinTtlMillis, hardPin, dataType);
  }
}
