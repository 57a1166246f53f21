package io.moonpool.client;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.StoreException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a client must refuse itself, since the master could not tell: keys that lose something on
 * their way to bytes, and memory that its loop cannot reach. Call on the client's loop.
 */
final class Arguments {
  private Arguments() {}

  static @Nullable StoreException checkKeys(List<String> keys) {
    for (String key : keys) {
      StoreException wrong = checkKey(key);
      if (wrong != null) {
        return wrong;
      }
    }
    return null;
  }

  static @Nullable StoreException checkKey(String key) {
    int bytes = 0;
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
      if (c < 0x80) {
        bytes++;
      } else if (c < 0x800) {
        bytes += 2;
      } else if (!Character.isSurrogate(c)) {
        bytes += 3;
      } else if (Character.isHighSurrogate(c)
          && i + 1 < key.length()
          && Character.isLowSurrogate(key.charAt(i + 1))) {
        bytes += 4;
        i++;
      } else {
        return new StoreException(
            ErrorCode.INVALID_KEY, "the key holds half a surrogate pair and has no UTF-8");
      }
    }
    if (bytes == 0) {
      return new StoreException(ErrorCode.INVALID_PARAMS, "the key is empty");
    }
    return bytes > KeyBatch.MAX_KEY_BYTES
        ? new StoreException(
            ErrorCode.INVALID_KEY,
            "the key has " + bytes + " bytes of UTF-8: use 1 to " + KeyBatch.MAX_KEY_BYTES)
        : null;
  }

  static @Nullable StoreException checkMemory(List<MemorySegment> memory) {
    for (MemorySegment each : memory) {
      StoreException wrong = checkMemory(each);
      if (wrong != null) {
        return wrong;
      }
    }
    return null;
  }

  static @Nullable StoreException checkMemory(MemorySegment memory) {
    if (!memory.scope().isAlive()) {
      return new StoreException(ErrorCode.INVALID_PARAMS, "the memory has been closed");
    }
    if (!memory.isAccessibleBy(Thread.currentThread())) {
      return new StoreException(
          ErrorCode.INVALID_PARAMS,
          "the memory belongs to one thread: allocate it from a shared, automatic or global arena");
    }
    return null;
  }
}
