package io.moonpool.protocol.wire;

import java.io.ByteArrayOutputStream;
import java.util.List;

/** A struct: its fields one after the other, without padding. */
final class StructCodec<S> extends Codec<S> {
  private static final int STRUCT = 0xfd;
  private static final int END = 0xff;

  private final Field<S, ?>[] fields;
  private final Field<S, ?>[] varying;
  private final int fixedPart;
  private final Field.Reading<S> reading;

  @SuppressWarnings({"unchecked", "rawtypes"}) // generic arrays, filled from typed lists
  StructCodec(List<Field<S, ?>> fields, Field.Reading<S> reading) {
    super(
        fields.stream().allMatch(f -> f.codec().isFixed()) ? fixedPart(fields) : -1,
        fields.stream().mapToInt(f -> f.codec().minBytes()).sum(),
        1 + fields.stream().mapToInt(f -> f.codec().depth()).max().orElse(0));
    this.fields = fields.toArray(new Field[0]);
    this.varying =
        fields.stream().filter(f -> !f.codec().isFixed()).toArray(length -> new Field[length]);
    this.fixedPart = fixedPart(fields);
    this.reading = reading;
  }

  private static <S> int fixedPart(List<Field<S, ?>> fields) {
    return fields.stream().mapToInt(f -> Math.max(0, f.codec().fixedBytes())).sum();
  }

  @Override
  public void describe(ByteArrayOutputStream literal) {
    literal.write(STRUCT);
    for (Field<S, ?> field : fields) {
      field.codec().describe(literal);
    }
    literal.write(END);
  }

  @Override
  public void measure(S value, Sizes sizes) {
    sizes.add(fixedPart);
    for (Field<S, ?> field : varying) {
      field.measure(value, sizes);
    }
  }

  @Override
  public void write(WireWriter out, S value) {
    for (Field<S, ?> field : fields) {
      field.write(out, value);
    }
  }

  @Override
  public S read(WireReader in) {
    try {
      return reading.read(in);
    } catch (IllegalArgumentException e) {
      // The constructor refused what the fields say.
      throw new MalformedMessage(String.valueOf(e.getMessage()));
    }
  }
}
