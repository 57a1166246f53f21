package io.moonpool.protocol.wire;

import java.io.ByteArrayOutputStream;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Codecs of values without parts. */
public final class Scalars {
  /** A signed 8-bit integer. */
  public static final IntCodec I8 = new IntCodec(5, 1, true);

  /** An unsigned 8-bit integer, 0 to 255. */
  public static final IntCodec U8 = new IntCodec(6, 1, false);

  /** A signed 16-bit integer. */
  public static final IntCodec I16 = new IntCodec(7, 2, true);

  /** An unsigned 16-bit integer, 0 to 65,535. */
  public static final IntCodec U16 = new IntCodec(8, 2, false);

  /** A signed 32-bit integer. */
  public static final IntCodec I32 = new IntCodec(1, 4, true);

  /** An unsigned 32-bit integer, as the 32 bits of a Java integer. */
  public static final IntCodec U32 = new IntCodec(2, 4, true);

  /** A signed 64-bit integer. */
  public static final LongCodec I64 = new LongCodec(3);

  /** An unsigned 64-bit integer, as the 64 bits of a Java long. */
  public static final LongCodec U64 = new LongCodec(4);

  /** A 32-bit float. */
  public static final Codec<Float> F32 = new FloatCodec();

  /** A 64-bit float. */
  public static final Codec<Double> F64 = new DoubleCodec();

  /** A flag. */
  public static final BoolCodec BOOL = new BoolCodec();

  /** A 128-bit id: two u64, the most significant first. */
  public static final Codec<UUID> ID = new IdCodec();

  /** No value. */
  public static final Codec<Void> UNIT = new UnitCodec();

  private Scalars() {}

  /**
   * A closed set of values, by number.
   *
   * @param underlying the integer on the wire
   * @param number the number of a value
   * @param ofNumber the value of a number; throws {@link IllegalArgumentException} when there is
   *     none
   */
  public static <E> Codec<E> enumeration(
      IntCodec underlying, ToIntFunction<? super E> number, IntFunction<? extends E> ofNumber) {
    return new EnumerationCodec<>(underlying, number, ofNumber);
  }

  /** Integers of up to 32 bits. */
  public static final class IntCodec extends Codec<Integer> {
    private final int type;
    private final boolean signed;

    private IntCodec(int type, int bytes, boolean signed) {
      super(bytes);
      this.type = type;
      this.signed = signed;
    }

    @Override
    public void describe(ByteArrayOutputStream literal) {
      literal.write(type);
    }

    @Override
    public void write(WireWriter out, Integer value) {
      writeInt(out, value);
    }

    /** Writes a value without boxing; the bits that do not fit are dropped. */
    void writeInt(WireWriter out, int value) {
      switch (fixedBytes()) {
        case 1 -> out.i8(value);
        case 2 -> out.i16(value);
        default -> out.i32(value);
      }
    }

    @Override
    public Integer read(WireReader in) {
      return readInt(in);
    }

    /** Reads a value without boxing. */
    int readInt(WireReader in) {
      return switch (fixedBytes()) {
        case 1 -> signed ? in.i8() : in.i8() & 0xff;
        case 2 -> signed ? in.i16() : in.i16() & 0xffff;
        default -> in.i32();
      };
    }
  }

  /** Integers of 64 bits. */
  public static final class LongCodec extends Codec<Long> {
    private final int type;

    private LongCodec(int type) {
      super(8);
      this.type = type;
    }

    @Override
    public void describe(ByteArrayOutputStream literal) {
      literal.write(type);
    }

    @Override
    public void write(WireWriter out, Long value) {
      out.i64(value);
    }

    @Override
    public Long read(WireReader in) {
      return in.i64();
    }
  }

  /** Flags. */
  public static final class BoolCodec extends Codec<Boolean> {
    private BoolCodec() {
      super(1);
    }

    @Override
    public void describe(ByteArrayOutputStream literal) {
      literal.write(0x0b);
    }

    @Override
    public void write(WireWriter out, Boolean value) {
      out.bool(value);
    }

    @Override
    public Boolean read(WireReader in) {
      return in.bool();
    }
  }

  private static final class FloatCodec extends Codec<Float> {
    FloatCodec() {
      super(4);
    }

    @Override
    public void describe(ByteArrayOutputStream literal) {
      literal.write(0x11);
    }

    @Override
    public void write(WireWriter out, Float value) {
      out.i32(Float.floatToRawIntBits(value));
    }

    @Override
    public Float read(WireReader in) {
      return Float.intBitsToFloat(in.i32());
    }
  }

  private static final class DoubleCodec extends Codec<Double> {
    DoubleCodec() {
      super(8);
    }

    @Override
    public void describe(ByteArrayOutputStream literal) {
      literal.write(0x12);
    }

    @Override
    public void write(WireWriter out, Double value) {
      out.i64(Double.doubleToRawLongBits(value));
    }

    @Override
    public Double read(WireReader in) {
      return Double.longBitsToDouble(in.i64());
    }
  }

  private static final class IdCodec extends Codec<UUID> {
    /** A struct of two u64 without declared members: its alignments, each plus 129, follow them. */
    private static final byte[] LITERAL = {
      (byte) 0xfd, 4, 4, (byte) 0x89, (byte) 0x89, (byte) 0xff
    };

    IdCodec() {
      super(16);
    }

    @Override
    public void describe(ByteArrayOutputStream literal) {
      literal.writeBytes(LITERAL);
    }

    @Override
    public void write(WireWriter out, UUID value) {
      out.i64(value.getMostSignificantBits());
      out.i64(value.getLeastSignificantBits());
    }

    @Override
    public UUID read(WireReader in) {
      long most = in.i64();
      return new UUID(most, in.i64());
    }
  }

  private static final class UnitCodec extends Codec<Void> {
    UnitCodec() {
      super(0);
    }

    @Override
    public void describe(ByteArrayOutputStream literal) {
      literal.write(0xfa);
    }

    @Override
    public void write(WireWriter out, @Nullable Void value) {}

    @Override
    @SuppressWarnings("NullAway") // null is the only value of Void
    public Void read(WireReader in) {
      return null;
    }
  }

  private static final class EnumerationCodec<E> extends Codec<E> {
    private final IntCodec underlying;
    private final ToIntFunction<? super E> number;
    private final IntFunction<? extends E> ofNumber;

    EnumerationCodec(
        IntCodec underlying, ToIntFunction<? super E> number, IntFunction<? extends E> ofNumber) {
      super(underlying.fixedBytes());
      this.underlying = underlying;
      this.number = number;
      this.ofNumber = ofNumber;
    }

    @Override
    public void describe(ByteArrayOutputStream literal) {
      underlying.describe(literal);
    }

    @Override
    public void write(WireWriter out, E value) {
      underlying.writeInt(out, number.applyAsInt(value));
    }

    @Override
    public E read(WireReader in) {
      int wire = underlying.readInt(in);
      try {
        return ofNumber.apply(wire);
      } catch (IllegalArgumentException e) {
        throw new MalformedMessage(String.valueOf(e.getMessage()));
      }
    }
  }
}
