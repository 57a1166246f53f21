package io.moonpool.protocol.call;

import io.moonpool.model.StoreException;
import io.moonpool.protocol.wire.Choices;
import io.moonpool.protocol.wire.Codec;
import io.moonpool.protocol.wire.Expected;
import io.moonpool.protocol.wire.Form;
import io.moonpool.protocol.wire.Message;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.function.Function;

/**
 * How the result of a call, or the failure of the whole call, becomes the body of an answer.
 *
 * <p>Immutable; any thread.
 *
 * @param <R> the result
 */
public abstract sealed class Answer<R> {
  private Answer() {}

  /** An answer with the error of the table and a sentence: all of Moonpool's own calls. */
  public static <R> Answer<R> orError(Codec<R> result) {
    return new OrFailure<>(result, CallError.CODEC, CallError::of, CallError::toException);
  }

  /** An answer with the number of the error only. */
  public static <R> Answer<R> orCode(Codec<R> result) {
    return new OrFailure<>(result, Choices.ERROR_CODE, StoreException::code, StoreException::new);
  }

  /** An answer that has no place for a failure of the whole call. */
  public static <R> Answer<R> plain(Codec<R> result) {
    return new Plain<>(result);
  }

  /** The type literal of the body in hexadecimal digits. */
  public abstract String literal();

  /** The type code of the body. */
  public abstract int code();

  /**
   * Encodes a result; parameters as in {@link Message#encode}.
   *
   * @param result null only when the call has none
   */
  public abstract ByteBuf encode(
      ByteBufAllocator allocator, int headroom, int maxBytes, R result, Form form);

  /** True when {@link #encodeFailure} may be called. */
  public abstract boolean carriesFailures();

  /** Encodes a failure; parameters as in {@link Message#encode}. */
  public abstract ByteBuf encodeFailure(
      ByteBufAllocator allocator, int headroom, int maxBytes, StoreException failure, Form form);

  /**
   * Decodes the readable bytes of a buffer.
   *
   * @return the result; null only when the call has none
   * @throws StoreException when the call failed
   * @throws io.moonpool.protocol.wire.MalformedMessage when they are no answer of this call
   */
  public abstract R decode(ByteBuf body);

  private static final class Plain<R> extends Answer<R> {
    private final Message<R> message;

    Plain(Codec<R> result) {
      this.message = Message.of(result);
    }

    @Override
    public String literal() {
      return message.literal();
    }

    @Override
    public int code() {
      return message.code();
    }

    @Override
    public ByteBuf encode(
        ByteBufAllocator allocator, int headroom, int maxBytes, R result, Form form) {
      return message.encode(allocator, headroom, maxBytes, result, form);
    }

    @Override
    public boolean carriesFailures() {
      return false;
    }

    @Override
    public ByteBuf encodeFailure(
        ByteBufAllocator allocator, int headroom, int maxBytes, StoreException failure, Form form) {
      throw new IllegalStateException("this answer carries no failures", failure);
    }

    @Override
    public R decode(ByteBuf body) {
      return message.decode(body);
    }
  }

  private static final class OrFailure<R, E> extends Answer<R> {
    private final Message<Expected<R, E>> message;
    private final Function<StoreException, E> toError;
    private final Function<E, StoreException> toException;

    OrFailure(
        Codec<R> result,
        Codec<E> error,
        Function<StoreException, E> toError,
        Function<E, StoreException> toException) {
      this.message = Message.of(Choices.expected(result, error));
      this.toError = toError;
      this.toException = toException;
    }

    @Override
    public String literal() {
      return message.literal();
    }

    @Override
    public int code() {
      return message.code();
    }

    @Override
    public ByteBuf encode(
        ByteBufAllocator allocator, int headroom, int maxBytes, R result, Form form) {
      return message.encode(allocator, headroom, maxBytes, new Expected.Value<>(result), form);
    }

    @Override
    public boolean carriesFailures() {
      return true;
    }

    @Override
    public ByteBuf encodeFailure(
        ByteBufAllocator allocator, int headroom, int maxBytes, StoreException failure, Form form) {
      Expected<R, E> expected = new Expected.Failure<>(toError.apply(failure));
      return message.encode(allocator, headroom, maxBytes, expected, form);
    }

    @Override
    public R decode(ByteBuf body) {
      return switch (message.decode(body)) {
        case Expected.Value<R, E>(R result) -> result;
        case Expected.Failure<R, E>(E error) -> throw toException.apply(error);
      };
    }
  }
}
