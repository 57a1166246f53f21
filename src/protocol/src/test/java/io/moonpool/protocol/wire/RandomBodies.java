package io.moonpool.protocol.wire;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.Outcome;
import io.moonpool.protocol.wire.Choices.Alternative;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Function;

/** Every type of the library with a seeded source of its values. */
final class RandomBodies {
  private static final String[] TEXTS = {"", "a", "key-1", "ünïcödé", "日本語", "\u0000", "𝄞"};

  private final SplittableRandom random;

  RandomBodies(long seed) {
    random = new SplittableRandom(seed);
  }

  /** A type and a value of it. */
  record Sample<T>(String name, Message<T> message, T value) {
    static <T> Sample<T> of(String name, Codec<T> codec, T value) {
      return new Sample<>(name, Message.of(codec), value);
    }
  }

  sealed interface Shape {
    record Circle(double radius) implements Shape {}

    record Named(String name) implements Shape {}
  }

  enum Colour {
    RED,
    GREEN;

    static Colour ofNumber(int number) {
      if (number < 0 || number > 1) {
        throw new IllegalArgumentException("no colour " + number);
      }
      return values()[number];
    }
  }

  record Pair(long a, String b) {
    static final Codec<Pair> CODEC =
        Structs.struct(Structs.u64(Pair::a), Structs.text(Pair::b), Pair::new);
  }

  static final Codec<Shape> SHAPE =
      Choices.variant(
          new Alternative<>(
              Shape.Circle.class,
              Structs.struct(Structs.field(Scalars.F64, Shape.Circle::radius), Shape.Circle::new)),
          new Alternative<>(
              Shape.Named.class,
              Structs.struct(Structs.text(Shape.Named::name), Shape.Named::new)));

  static final Codec<Colour> COLOUR =
      Scalars.enumeration(Scalars.U16, Colour::ordinal, Colour::ofNumber);

  /** One sample of each type. */
  List<Sample<?>> samples() {
    return List.of(
        Sample.of("i8", Scalars.I8, (int) (byte) random.nextInt()),
        Sample.of("u8", Scalars.U8, random.nextInt(256)),
        Sample.of("i16", Scalars.I16, (int) (short) random.nextInt()),
        Sample.of("u16", Scalars.U16, random.nextInt(65_536)),
        Sample.of("i32", Scalars.I32, random.nextInt()),
        Sample.of("u32", Scalars.U32, random.nextInt()),
        Sample.of("i64", Scalars.I64, random.nextLong()),
        Sample.of("u64", Scalars.U64, random.nextLong()),
        Sample.of("f32", Scalars.F32, (float) random.nextDouble()),
        Sample.of("f64", Scalars.F64, random.nextDouble()),
        Sample.of("bool", Scalars.BOOL, random.nextBoolean()),
        Sample.of("id", Scalars.ID, id()),
        Sample.of("enumeration", COLOUR, colour()),
        Sample.of("text", Containers.TEXT, text()),
        Sample.of("bytes", Containers.BYTES, bytes(random.nextInt(600))),
        Sample.of("keys", Containers.KEYS, keys()),
        Sample.of("longs", Containers.longs(Scalars.U64), longs()),
        Sample.of("ints", Containers.ints(Scalars.U32), ints()),
        Sample.of("bytes as ints", Containers.ints(Scalars.I8), new int[] {-128, 0, 127}),
        Sample.of("list of structs", Containers.list(Pair.CODEC), list(r -> pair())),
        Sample.of("list of fixed", Containers.list(Scalars.I16), list(r -> r.nextInt(100))),
        Sample.of("map", Containers.map(Containers.TEXT, Scalars.U64), map()),
        Sample.of("optional", Choices.optional(Containers.TEXT), optional()),
        Sample.of("optional long", Choices.optional(Scalars.U64), optionalLong()),
        Sample.of("variant", SHAPE, shape()),
        Sample.of("expected", Choices.expected(Containers.TEXT, Pair.CODEC), expected()),
        Sample.of("outcome", Choices.outcome(Scalars.U64), outcome()),
        Sample.of(
            "outcomes without values",
            Containers.list(Choices.outcome(Scalars.UNIT)),
            list(r -> r.nextBoolean() ? Outcome.done() : Outcome.<Void>error(error()))),
        Sample.of("nested", nestedCodec(), nested()));
  }

  private static Codec<Map<UUID, List<Optional<Shape>>>> nestedCodec() {
    return Containers.map(Scalars.ID, Containers.list(Choices.optional(SHAPE)));
  }

  private Map<UUID, List<Optional<Shape>>> nested() {
    Map<UUID, List<Optional<Shape>>> map = new LinkedHashMap<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      map.put(id(), list(r -> r.nextBoolean() ? Optional.of(shape()) : Optional.empty()));
    }
    return map;
  }

  UUID id() {
    return new UUID(random.nextLong(), random.nextLong());
  }

  private Colour colour() {
    return Colour.values()[random.nextInt(2)];
  }

  /** Mostly short, sometimes long enough for two-byte or four-byte container sizes. */
  private int size() {
    return switch (random.nextInt(150)) {
      case 0 -> 66_000;
      case 1, 2, 3, 4, 5 -> 255 + random.nextInt(3);
      default -> random.nextInt(6);
    };
  }

  String text() {
    String text = TEXTS[random.nextInt(TEXTS.length)];
    return random.nextInt(20) == 0 ? text.repeat(300) : text;
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private KeyBatch keys() {
    KeyBatch keys = new KeyBatch(1);
    for (int i = size(); i > 0; i--) {
      byte[] key = text().getBytes(StandardCharsets.UTF_8);
      keys.add(key, 0, key.length);
    }
    return keys;
  }

  private long[] longs() {
    return random.longs(size()).toArray();
  }

  private int[] ints() {
    return random.ints(size()).toArray();
  }

  private <T> List<T> list(Function<SplittableRandom, T> element) {
    List<T> list = new ArrayList<>();
    for (int i = size(); i > 0; i--) {
      list.add(element.apply(random));
    }
    return list;
  }

  private Pair pair() {
    return new Pair(random.nextLong(), text());
  }

  private Map<String, Long> map() {
    Map<String, Long> map = new LinkedHashMap<>();
    for (int i = size(); i > 0; i--) {
      map.put(text() + i, random.nextLong());
    }
    return map;
  }

  private Optional<String> optional() {
    return random.nextBoolean() ? Optional.of(text()) : Optional.empty();
  }

  private OptionalLong optionalLong() {
    return random.nextBoolean() ? OptionalLong.of(random.nextLong()) : OptionalLong.empty();
  }

  private Shape shape() {
    return random.nextBoolean() ? new Shape.Circle(random.nextDouble()) : new Shape.Named(text());
  }

  private Expected<String, Pair> expected() {
    return random.nextBoolean() ? new Expected.Value<>(text()) : new Expected.Failure<>(pair());
  }

  private Outcome<Long> outcome() {
    return random.nextBoolean() ? Outcome.of(random.nextLong()) : Outcome.error(error());
  }

  private ErrorCode error() {
    return ErrorCode.values()[1 + random.nextInt(ErrorCode.values().length - 1)];
  }
}
