package io.moonpool.protocol.wire;

import io.moonpool.model.KeyBatch;
import io.netty.buffer.ByteBufUtil;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Codecs of strings, vectors and maps. */
public final class Containers {
  private static final int STRING = 0x80;
  private static final int CHAR = 0x0c;
  private static final int MAP = 0x82;
  private static final int VECTOR = 0x84;

  /** A string as text. On the wire strings are bytes; those that are not UTF-8 are malformed. */
  public static final Codec<String> TEXT = new TextCodec();

  /** A string as its bytes. */
  public static final Codec<byte[]> BYTES = new BytesCodec();

  /** A vector of strings as keys, none of which becomes an object of its own. */
  public static final Codec<KeyBatch> KEYS = new KeysCodec();

  private Containers() {}

  /** A vector. What is read is immutable. */
  public static <E> Codec<List<E>> list(Codec<E> element) {
    return new ListCodec<>(element);
  }

  /** A vector of 64-bit integers. */
  public static Codec<long[]> longs(Scalars.LongCodec element) {
    return new LongsCodec(element);
  }

  /** A vector of 32-bit integers. */
  public static Codec<int[]> ints(Scalars.IntCodec element) {
    return new IntsCodec(element);
  }

  /** A map. What is read is immutable and in the order of the wire; a repeated key is malformed. */
  public static <K, V> Codec<Map<K, V>> map(Codec<K> key, Codec<V> value) {
    return new MapCodec<>(key, value);
  }

  private static final class TextCodec extends Codec<String> {
    TextCodec() {
      super(-1, 1, 1);
    }

    @Override
    public void describe(ByteArrayOutputStream literal) {
      literal.write(STRING);
      literal.write(CHAR);
    }

    @Override
    public void measure(String value, Sizes sizes) {
      int length = ByteBufUtil.utf8Bytes(value);
      sizes.container(length);
      sizes.add(length);
    }

    @Override
    public void write(WireWriter out, String value) {
      out.bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String read(WireReader in) {
      return in.string();
    }
  }

  private static final class BytesCodec extends Codec<byte[]> {
    BytesCodec() {
      super(-1, 1, 1);
    }

    @Override
    public void describe(ByteArrayOutputStream literal) {
      TEXT.describe(literal);
    }

    @Override
    public void measure(byte[] value, Sizes sizes) {
      sizes.container(value.length);
      sizes.add(value.length);
    }

    @Override
    public void write(WireWriter out, byte[] value) {
      out.bytes(value);
    }

    @Override
    public byte[] read(WireReader in) {
      return in.bytes();
    }
  }

  private static final class KeysCodec extends Codec<KeyBatch> {
    KeysCodec() {
      super(-1, 1, 2);
    }

    @Override
    public void describe(ByteArrayOutputStream literal) {
      literal.write(VECTOR);
      TEXT.describe(literal);
    }

    @Override
    public void measure(KeyBatch value, Sizes sizes) {
      int count = value.size();
      sizes.container(count);
      for (int i = 0; i < count; i++) {
        int length = value.length(i);
        sizes.container(length);
        sizes.add(length);
      }
    }

    @Override
    public void write(WireWriter out, KeyBatch value) {
      int count = value.size();
      out.size(count);
      for (int i = 0; i < count; i++) {
        int length = value.length(i);
        out.size(length);
        out.bytes(value.bytes(), value.offset(i), length);
      }
    }

    @Override
    public KeyBatch read(WireReader in) {
      int count = in.elements(1);
      // What is left of the message bounds the bytes of all keys, so the array never grows.
      KeyBatch keys = new KeyBatch(count, in.left() - count);
      for (int i = 0; i < count; i++) {
        int length = in.length();
        int start = keys.reserve(length);
        in.bytes(keys.bytes(), start, length);
      }
      return keys;
    }
  }

  private static final class ListCodec<E> extends Codec<List<E>> {
    private final Codec<E> element;

    ListCodec(Codec<E> element) {
      super(-1, 1, element.depth() + 1);
      this.element = element;
    }

    @Override
    public void describe(ByteArrayOutputStream literal) {
      literal.write(VECTOR);
      element.describe(literal);
    }

    @Override
    public void measure(List<E> value, Sizes sizes) {
      int count = value.size();
      sizes.container(count);
      if (element.isFixed()) {
        sizes.add((long) count * element.fixedBytes());
        return;
      }
      for (int i = 0; i < count; i++) {
        element.measure(value.get(i), sizes);
      }
    }

    @Override
    public void write(WireWriter out, List<E> value) {
      int count = value.size();
      out.size(count);
      for (int i = 0; i < count; i++) {
        element.write(out, value.get(i));
      }
    }

    @Override
    @SuppressWarnings("unchecked") // the array holds what the element codec read
    public List<E> read(WireReader in) {
      int count = in.elements(element.minBytes());
      if (count == 0) {
        return List.of();
      }
      if (count == 1) {
        return List.of(element.read(in));
      }
      // An array, not an ArrayList: List.of of it is one that later List.copyOf calls do not copy.
      Object[] elements = new Object[count];
      for (int i = 0; i < count; i++) {
        elements[i] = element.read(in);
      }
      return (List<E>) List.of(elements);
    }
  }

  private static final class LongsCodec extends Codec<long[]> {
    private final Scalars.LongCodec element;

    LongsCodec(Scalars.LongCodec element) {
      super(-1, 1, 2);
      this.element = element;
    }

    @Override
    public void describe(ByteArrayOutputStream literal) {
      literal.write(VECTOR);
      element.describe(literal);
    }

    @Override
    public void measure(long[] value, Sizes sizes) {
      sizes.container(value.length);
      sizes.add(8L * value.length);
    }

    @Override
    public void write(WireWriter out, long[] value) {
      out.size(value.length);
      for (long each : value) {
        out.i64(each);
      }
    }

    @Override
    public long[] read(WireReader in) {
      long[] value = new long[in.elements(8)];
      for (int i = 0; i < value.length; i++) {
        value[i] = in.i64();
      }
      return value;
    }
  }

  private static final class IntsCodec extends Codec<int[]> {
    private final Scalars.IntCodec element;

    IntsCodec(Scalars.IntCodec element) {
      super(-1, 1, 2);
      this.element = element;
    }

    @Override
    public void describe(ByteArrayOutputStream literal) {
      literal.write(VECTOR);
      element.describe(literal);
    }

    @Override
    public void measure(int[] value, Sizes sizes) {
      sizes.container(value.length);
      sizes.add((long) element.fixedBytes() * value.length);
    }

    @Override
    public void write(WireWriter out, int[] value) {
      out.size(value.length);
      for (int each : value) {
        element.writeInt(out, each);
      }
    }

    @Override
    public int[] read(WireReader in) {
      int[] value = new int[in.elements(element.fixedBytes())];
      for (int i = 0; i < value.length; i++) {
        value[i] = element.readInt(in);
      }
      return value;
    }
  }

  private static final class MapCodec<K, V> extends Codec<Map<K, V>> {
    private final Codec<K> key;
    private final Codec<V> value;

    MapCodec(Codec<K> key, Codec<V> value) {
      super(-1, 1, Math.max(key.depth(), value.depth()) + 1);
      this.key = key;
      this.value = value;
    }

    @Override
    public void describe(ByteArrayOutputStream literal) {
      literal.write(MAP);
      key.describe(literal);
      value.describe(literal);
    }

    @Override
    public void measure(Map<K, V> map, Sizes sizes) {
      sizes.container(map.size());
      map.forEach(
          (k, v) -> {
            key.measure(k, sizes);
            value.measure(v, sizes);
          });
    }

    @Override
    public void write(WireWriter out, Map<K, V> map) {
      out.size(map.size());
      map.forEach(
          (k, v) -> {
            key.write(out, k);
            value.write(out, v);
          });
    }

    @Override
    public Map<K, V> read(WireReader in) {
      int count = in.elements(key.minBytes() + value.minBytes());
      Map<K, V> map = LinkedHashMap.newLinkedHashMap(count);
      for (int i = 0; i < count; i++) {
        K k = key.read(in);
        if (map.put(k, value.read(in)) != null) {
          throw new MalformedMessage("a map has a key twice");
        }
      }
      return Collections.unmodifiableMap(map);
    }
  }
}
