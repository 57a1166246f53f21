package io.moonpool.protocol.wire;

import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/**
 * A member of a struct: its type, and how to get it from the struct. See {@link Structs}.
 *
 * @param <S> the struct
 * @param <T> the member
 */
public abstract class Field<S, T> {
  private final Codec<T> codec;

  private Field(Codec<T> codec) {
    this.codec = codec;
  }

  /** A field of any type. */
  static <S, T> Field<S, T> of(Codec<T> codec, Function<? super S, ? extends T> value) {
    return new ObjectField<>(codec, value);
  }

  final Codec<T> codec() {
    return codec;
  }

  final T read(WireReader in) {
    return codec.read(in);
  }

  /** Adds the member to the sizes; overridden where members differ in size. */
  void measure(S struct, Sizes sizes) {
    sizes.add(codec.fixedBytes());
  }

  abstract void write(WireWriter out, S struct);

  /** Reads a struct: the fields in order, then the constructor. */
  interface Reading<S> {
    S read(WireReader in);
  }

  private static final class ObjectField<S, T> extends Field<S, T> {
    private final Function<? super S, ? extends T> value;

    ObjectField(Codec<T> codec, Function<? super S, ? extends T> value) {
      super(codec);
      this.value = value;
    }

    @Override
    void measure(S struct, Sizes sizes) {
      codec().measure(value.apply(struct), sizes);
    }

    @Override
    void write(WireWriter out, S struct) {
      codec().write(out, value.apply(struct));
    }
  }

  /** A 64-bit integer, written without boxing. */
  static final class LongField<S> extends Field<S, Long> {
    private final ToLongFunction<? super S> value;

    LongField(Scalars.LongCodec codec, ToLongFunction<? super S> value) {
      super(codec);
      this.value = value;
    }

    @Override
    void write(WireWriter out, S struct) {
      out.i64(value.applyAsLong(struct));
    }
  }

  /** An integer of up to 32 bits, written without boxing. */
  static final class IntField<S> extends Field<S, Integer> {
    private final Scalars.IntCodec type;
    private final ToIntFunction<? super S> value;

    IntField(Scalars.IntCodec codec, ToIntFunction<? super S> value) {
      super(codec);
      this.type = codec;
      this.value = value;
    }

    @Override
    void write(WireWriter out, S struct) {
      type.writeInt(out, value.applyAsInt(struct));
    }
  }
}
