package io.moonpool.protocol.wire;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.Outcome;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/** Codecs of values that are one thing or another. */
public final class Choices {
  private static final int OPTIONAL = 0x85;
  private static final int VARIANT = 0x86;
  private static final int EXPECTED = 0x87;
  private static final int END = 0xff;

  private Choices() {}

  /** An error of the table as its number. A number that the table lacks is INTERNAL_ERROR. */
  public static final Codec<ErrorCode> ERROR_CODE = new ErrorCodeCodec();

  /** A value that may be missing. */
  public static <T> Codec<Optional<T>> optional(Codec<T> value) {
    return new OptionalCodec<>(value);
  }

  /** A 64-bit integer that may be missing. */
  public static Codec<OptionalLong> optional(Scalars.LongCodec value) {
    return new OptionalLongCodec(value);
  }

  /** A value or an error. */
  public static <T, E> Codec<Expected<T, E>> expected(Codec<T> value, Codec<E> error) {
    return new ExpectedCodec<>(value, error);
  }

  /** A value or an error of the table. For calls without a value take {@link Scalars#UNIT}. */
  public static <T> Codec<Outcome<T>> outcome(Codec<T> value) {
    return new OutcomeCodec<>(value);
  }

  /**
   * One of several types.
   *
   * @param alternatives in the order of their indices, 1 to 256 of them; a value is written as the
   *     first that it is an instance of
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // List.of copies the array
  public static <T> Codec<T> variant(Alternative<? extends T>... alternatives) {
    return new VariantCodec<>(List.of(alternatives));
  }

  /** A type of a {@link #variant}. */
  public record Alternative<A>(Class<A> type, Codec<A> codec) {
    private boolean accepts(Object value) {
      return type.isInstance(value);
    }

    private void measure(Object value, Sizes sizes) {
      codec.measure(type.cast(value), sizes);
    }

    private void write(WireWriter out, Object value) {
      codec.write(out, type.cast(value));
    }
  }

  private static final class ErrorCodeCodec extends Codec<ErrorCode> {
    ErrorCodeCodec() {
      super(4);
    }

    @Override
    public void describe(ByteArrayOutputStream literal) {
      Scalars.I32.describe(literal);
    }

    @Override
    public void write(WireWriter out, ErrorCode value) {
      out.i32(value.number());
    }

    @Override
    public ErrorCode read(WireReader in) {
      ErrorCode code = ErrorCode.fromWire(in.i32());
      if (code == ErrorCode.OK) {
        throw new MalformedMessage("an error has the code of success");
      }
      return code;
    }
  }

  private static final class OptionalCodec<T> extends Codec<Optional<T>> {
    private final Codec<T> value;

    OptionalCodec(Codec<T> value) {
      super(-1, 1, value.depth() + 1);
      this.value = value;
    }

    @Override
    public void describe(ByteArrayOutputStream literal) {
      literal.write(OPTIONAL);
      value.describe(literal);
    }

    @Override
    public void measure(Optional<T> optional, Sizes sizes) {
      sizes.add(1);
      optional.ifPresent(present -> value.measure(present, sizes));
    }

    @Override
    public void write(WireWriter out, Optional<T> optional) {
      out.bool(optional.isPresent());
      optional.ifPresent(present -> value.write(out, present));
    }

    @Override
    public Optional<T> read(WireReader in) {
      return in.bool() ? Optional.of(value.read(in)) : Optional.empty();
    }
  }

  private static final class OptionalLongCodec extends Codec<OptionalLong> {
    private final Scalars.LongCodec value;

    OptionalLongCodec(Scalars.LongCodec value) {
      super(-1, 1, 2);
      this.value = value;
    }

    @Override
    public void describe(ByteArrayOutputStream literal) {
      literal.write(OPTIONAL);
      value.describe(literal);
    }

    @Override
    public void measure(OptionalLong optional, Sizes sizes) {
      sizes.add(optional.isPresent() ? 9 : 1);
    }

    @Override
    public void write(WireWriter out, OptionalLong optional) {
      out.bool(optional.isPresent());
      if (optional.isPresent()) {
        out.i64(optional.getAsLong());
      }
    }

    @Override
    public OptionalLong read(WireReader in) {
      return in.bool() ? OptionalLong.of(in.i64()) : OptionalLong.empty();
    }
  }

  private static final class ExpectedCodec<T, E> extends Codec<Expected<T, E>> {
    private final Codec<T> value;
    private final Codec<E> error;

    ExpectedCodec(Codec<T> value, Codec<E> error) {
      super(
          -1,
          1 + Math.min(value.minBytes(), error.minBytes()),
          Math.max(value.depth(), error.depth()) + 1);
      this.value = value;
      this.error = error;
    }

    @Override
    public void describe(ByteArrayOutputStream literal) {
      literal.write(EXPECTED);
      value.describe(literal);
      error.describe(literal);
    }

    @Override
    public void measure(Expected<T, E> expected, Sizes sizes) {
      sizes.add(1);
      switch (expected) {
        case Expected.Value<T, E>(T present) -> value.measure(present, sizes);
        case Expected.Failure<T, E>(E failure) -> error.measure(failure, sizes);
      }
    }

    @Override
    public void write(WireWriter out, Expected<T, E> expected) {
      switch (expected) {
        case Expected.Value<T, E>(T present) -> {
          out.bool(true);
          value.write(out, present);
        }
        case Expected.Failure<T, E>(E failure) -> {
          out.bool(false);
          error.write(out, failure);
        }
      }
    }

    @Override
    public Expected<T, E> read(WireReader in) {
      return in.bool()
          ? new Expected.Value<>(value.read(in))
          : new Expected.Failure<>(error.read(in));
    }
  }

  private static final class OutcomeCodec<T> extends Codec<Outcome<T>> {
    private final Codec<T> value;
    private final boolean unit;

    OutcomeCodec(Codec<T> value) {
      super(-1, 1 + Math.min(value.minBytes(), 4), value.depth() + 1);
      this.value = value;
      this.unit = value.equals(Scalars.UNIT);
    }

    @Override
    public void describe(ByteArrayOutputStream literal) {
      literal.write(EXPECTED);
      value.describe(literal);
      ERROR_CODE.describe(literal);
    }

    @Override
    public void measure(Outcome<T> outcome, Sizes sizes) {
      if (!outcome.ok()) {
        sizes.add(5);
        return;
      }
      sizes.add(1);
      if (!unit) {
        value.measure(present(outcome), sizes);
      }
    }

    @Override
    public void write(WireWriter out, Outcome<T> outcome) {
      out.bool(outcome.ok());
      if (!outcome.ok()) {
        ERROR_CODE.write(out, outcome.code());
      } else if (!unit) {
        value.write(out, present(outcome));
      }
    }

    private static <T> T present(Outcome<T> outcome) {
      return Objects.requireNonNull(outcome.value(), "a success of this call needs a value");
    }

    @Override
    public Outcome<T> read(WireReader in) {
      if (!in.bool()) {
        return Outcome.error(ERROR_CODE.read(in));
      }
      return unit ? new Outcome<>(ErrorCode.OK, null) : Outcome.of(value.read(in));
    }
  }

  private static final class VariantCodec<T> extends Codec<T> {
    private final List<Alternative<? extends T>> alternatives;

    VariantCodec(List<Alternative<? extends T>> alternatives) {
      super(
          -1,
          1 + alternatives.stream().mapToInt(a -> a.codec().minBytes()).min().orElse(0),
          1 + alternatives.stream().mapToInt(a -> a.codec().depth()).max().orElse(0));
      if (alternatives.isEmpty() || alternatives.size() > 256) {
        throw new IllegalArgumentException("a variant has 1 to 256 alternatives");
      }
      this.alternatives = alternatives;
    }

    @Override
    public void describe(ByteArrayOutputStream literal) {
      literal.write(VARIANT);
      alternatives.forEach(alternative -> alternative.codec().describe(literal));
      literal.write(END);
    }

    @Override
    public void measure(T value, Sizes sizes) {
      sizes.add(1);
      alternatives.get(index(value)).measure(value, sizes);
    }

    @Override
    public void write(WireWriter out, T value) {
      int index = index(value);
      out.i8(index);
      alternatives.get(index).write(out, value);
    }

    private int index(T value) {
      for (int i = 0; i < alternatives.size(); i++) {
        if (alternatives.get(i).accepts(value)) {
          return i;
        }
      }
      throw new IllegalArgumentException(value.getClass() + " is no alternative of this variant");
    }

    @Override
    public T read(WireReader in) {
      int index = in.i8() & 0xff;
      if (index >= alternatives.size()) {
        throw new MalformedMessage(
            "a variant has the index " + index + " of " + alternatives.size() + " alternatives");
      }
      return alternatives.get(index).codec().read(in);
    }
  }
}
