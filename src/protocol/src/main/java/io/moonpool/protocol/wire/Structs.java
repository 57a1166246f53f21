package io.moonpool.protocol.wire;

import io.moonpool.protocol.wire.Field.Reading;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/**
 * Codecs of structs, and of the tuples that the arguments of a call make: fields in order, then
 * what makes a value of them. The fields are read in the order in which they are given.
 *
 * <p>This is one method for each number of fields, up to the largest struct of the protocol, so
 * that the compiler checks the types of fields and constructor against each other.
 */
public final class Structs {
  private Structs() {}

  /** A field of any type. */
  public static <S, T> Field<S, T> field(Codec<T> codec, Function<? super S, ? extends T> value) {
    return Field.of(codec, value);
  }

  /** A field that is a signed 32-bit integer. */
  public static <S> Field<S, Integer> i32(ToIntFunction<? super S> value) {
    return new Field.IntField<>(Scalars.I32, value);
  }

  /** A field that is an unsigned 32-bit integer, as the 32 bits of a Java integer. */
  public static <S> Field<S, Integer> u32(ToIntFunction<? super S> value) {
    return new Field.IntField<>(Scalars.U32, value);
  }

  /** A field that is a signed 64-bit integer. */
  public static <S> Field<S, Long> i64(ToLongFunction<? super S> value) {
    return new Field.LongField<>(Scalars.I64, value);
  }

  /** A field that is an unsigned 64-bit integer, as the 64 bits of a Java long. */
  public static <S> Field<S, Long> u64(ToLongFunction<? super S> value) {
    return new Field.LongField<>(Scalars.U64, value);
  }

  /** A field that is a flag. */
  public static <S> Field<S, Boolean> flag(Function<? super S, Boolean> value) {
    return Field.of(Scalars.BOOL, value);
  }

  /** A field that is text. */
  public static <S> Field<S, String> text(Function<? super S, String> value) {
    return Field.of(Containers.TEXT, value);
  }

  /** A field that is an id. */
  public static <S> Field<S, UUID> uuid(Function<? super S, UUID> value) {
    return Field.of(Scalars.ID, value);
  }

  /** A struct of 1 field. */
  public static <S, A> Codec<S> struct(Field<S, A> a, Function<? super A, ? extends S> make) {
    return struct(List.of(a), in -> make.apply(a.read(in)));
  }

  /** A struct of 2 fields. */
  public static <S, A, B> Codec<S> struct(
      Field<S, A> a, Field<S, B> b, BiFunction<? super A, ? super B, ? extends S> make) {
    return struct(List.of(a, b), in -> make.apply(a.read(in), b.read(in)));
  }

  /** A struct of 3 fields. */
  public static <S, A, B, C> Codec<S> struct(
      Field<S, A> a, Field<S, B> b, Field<S, C> c, F3<A, B, C, S> make) {
    return struct(List.of(a, b, c), in -> make.apply(a.read(in), b.read(in), c.read(in)));
  }

  /** A struct of 4 fields. */
  public static <S, A, B, C, D> Codec<S> struct(
      Field<S, A> a, Field<S, B> b, Field<S, C> c, Field<S, D> d, F4<A, B, C, D, S> make) {
    return struct(
        List.of(a, b, c, d), in -> make.apply(a.read(in), b.read(in), c.read(in), d.read(in)));
  }

  /** A struct of 5 fields. */
  public static <S, A, B, C, D, E> Codec<S> struct(
      Field<S, A> a,
      Field<S, B> b,
      Field<S, C> c,
      Field<S, D> d,
      Field<S, E> e,
      F5<A, B, C, D, E, S> make) {
    return struct(
        List.of(a, b, c, d, e),
        in -> make.apply(a.read(in), b.read(in), c.read(in), d.read(in), e.read(in)));
  }

  /** A struct of 6 fields. */
  public static <S, A, B, C, D, E, F> Codec<S> struct(
      Field<S, A> a,
      Field<S, B> b,
      Field<S, C> c,
      Field<S, D> d,
      Field<S, E> e,
      Field<S, F> f,
      F6<A, B, C, D, E, F, S> make) {
    return struct(
        List.of(a, b, c, d, e, f),
        in -> make.apply(a.read(in), b.read(in), c.read(in), d.read(in), e.read(in), f.read(in)));
  }

  /** A struct of 7 fields. */
  public static <S, A, B, C, D, E, F, G> Codec<S> struct(
      Field<S, A> a,
      Field<S, B> b,
      Field<S, C> c,
      Field<S, D> d,
      Field<S, E> e,
      Field<S, F> f,
      Field<S, G> g,
      F7<A, B, C, D, E, F, G, S> make) {
    return struct(
        List.of(a, b, c, d, e, f, g),
        in ->
            make.apply(
                a.read(in),
                b.read(in),
                c.read(in),
                d.read(in),
                e.read(in),
                f.read(in),
                g.read(in)));
  }

  /** A struct of 8 fields. */
  public static <S, A, B, C, D, E, F, G, H> Codec<S> struct(
      Field<S, A> a,
      Field<S, B> b,
      Field<S, C> c,
      Field<S, D> d,
      Field<S, E> e,
      Field<S, F> f,
      Field<S, G> g,
      Field<S, H> h,
      F8<A, B, C, D, E, F, G, H, S> make) {
    return struct(
        List.of(a, b, c, d, e, f, g, h),
        in ->
            make.apply(
                a.read(in),
                b.read(in),
                c.read(in),
                d.read(in),
                e.read(in),
                f.read(in),
                g.read(in),
                h.read(in)));
  }

  /** A struct of 9 fields. */
  public static <S, A, B, C, D, E, F, G, H, I> Codec<S> struct(
      Field<S, A> a,
      Field<S, B> b,
      Field<S, C> c,
      Field<S, D> d,
      Field<S, E> e,
      Field<S, F> f,
      Field<S, G> g,
      Field<S, H> h,
      Field<S, I> i,
      F9<A, B, C, D, E, F, G, H, I, S> make) {
    return struct(
        List.of(a, b, c, d, e, f, g, h, i),
        in ->
            make.apply(
                a.read(in),
                b.read(in),
                c.read(in),
                d.read(in),
                e.read(in),
                f.read(in),
                g.read(in),
                h.read(in),
                i.read(in)));
  }

  /** A struct of 10 fields. */
  public static <S, A, B, C, D, E, F, G, H, I, J> Codec<S> struct(
      Field<S, A> a,
      Field<S, B> b,
      Field<S, C> c,
      Field<S, D> d,
      Field<S, E> e,
      Field<S, F> f,
      Field<S, G> g,
      Field<S, H> h,
      Field<S, I> i,
      Field<S, J> j,
      F10<A, B, C, D, E, F, G, H, I, J, S> make) {
    return struct(
        List.of(a, b, c, d, e, f, g, h, i, j),
        in ->
            make.apply(
                a.read(in),
                b.read(in),
                c.read(in),
                d.read(in),
                e.read(in),
                f.read(in),
                g.read(in),
                h.read(in),
                i.read(in),
                j.read(in)));
  }

  /** A struct of 11 fields. */
  public static <S, A, B, C, D, E, F, G, H, I, J, K> Codec<S> struct(
      Field<S, A> a,
      Field<S, B> b,
      Field<S, C> c,
      Field<S, D> d,
      Field<S, E> e,
      Field<S, F> f,
      Field<S, G> g,
      Field<S, H> h,
      Field<S, I> i,
      Field<S, J> j,
      Field<S, K> k,
      F11<A, B, C, D, E, F, G, H, I, J, K, S> make) {
    return struct(
        List.of(a, b, c, d, e, f, g, h, i, j, k),
        in ->
            make.apply(
                a.read(in),
                b.read(in),
                c.read(in),
                d.read(in),
                e.read(in),
                f.read(in),
                g.read(in),
                h.read(in),
                i.read(in),
                j.read(in),
                k.read(in)));
  }

  /** A struct of 12 fields. */
  public static <S, A, B, C, D, E, F, G, H, I, J, K, L> Codec<S> struct(
      Field<S, A> a,
      Field<S, B> b,
      Field<S, C> c,
      Field<S, D> d,
      Field<S, E> e,
      Field<S, F> f,
      Field<S, G> g,
      Field<S, H> h,
      Field<S, I> i,
      Field<S, J> j,
      Field<S, K> k,
      Field<S, L> l,
      F12<A, B, C, D, E, F, G, H, I, J, K, L, S> make) {
    return struct(
        List.of(a, b, c, d, e, f, g, h, i, j, k, l),
        in ->
            make.apply(
                a.read(in),
                b.read(in),
                c.read(in),
                d.read(in),
                e.read(in),
                f.read(in),
                g.read(in),
                h.read(in),
                i.read(in),
                j.read(in),
                k.read(in),
                l.read(in)));
  }

  /** A struct of 13 fields. */
  public static <S, A, B, C, D, E, F, G, H, I, J, K, L, M> Codec<S> struct(
      Field<S, A> a,
      Field<S, B> b,
      Field<S, C> c,
      Field<S, D> d,
      Field<S, E> e,
      Field<S, F> f,
      Field<S, G> g,
      Field<S, H> h,
      Field<S, I> i,
      Field<S, J> j,
      Field<S, K> k,
      Field<S, L> l,
      Field<S, M> m,
      F13<A, B, C, D, E, F, G, H, I, J, K, L, M, S> make) {
    return struct(
        List.of(a, b, c, d, e, f, g, h, i, j, k, l, m),
        in ->
            make.apply(
                a.read(in),
                b.read(in),
                c.read(in),
                d.read(in),
                e.read(in),
                f.read(in),
                g.read(in),
                h.read(in),
                i.read(in),
                j.read(in),
                k.read(in),
                l.read(in),
                m.read(in)));
  }

  private static <S> Codec<S> struct(List<Field<S, ?>> fields, Reading<S> reading) {
    return new StructCodec<>(fields, reading);
  }

  /** Makes a value of three fields. */
  public interface F3<A, B, C, S> {
    /** The value. */
    S apply(A a, B b, C c);
  }

  /** Makes a value of four fields. */
  public interface F4<A, B, C, D, S> {
    /** The value. */
    S apply(A a, B b, C c, D d);
  }

  /** Makes a value of five fields. */
  public interface F5<A, B, C, D, E, S> {
    /** The value. */
    S apply(A a, B b, C c, D d, E e);
  }

  /** Makes a value of six fields. */
  public interface F6<A, B, C, D, E, F, S> {
    /** The value. */
    S apply(A a, B b, C c, D d, E e, F f);
  }

  /** Makes a value of seven fields. */
  public interface F7<A, B, C, D, E, F, G, S> {
    /** The value. */
    S apply(A a, B b, C c, D d, E e, F f, G g);
  }

  /** Makes a value of eight fields. */
  public interface F8<A, B, C, D, E, F, G, H, S> {
    /** The value. */
    S apply(A a, B b, C c, D d, E e, F f, G g, H h);
  }

  /** Makes a value of nine fields. */
  public interface F9<A, B, C, D, E, F, G, H, I, S> {
    /** The value. */
    S apply(A a, B b, C c, D d, E e, F f, G g, H h, I i);
  }

  /** Makes a value of ten fields. */
  public interface F10<A, B, C, D, E, F, G, H, I, J, S> {
    /** The value. */
    S apply(A a, B b, C c, D d, E e, F f, G g, H h, I i, J j);
  }

  /** Makes a value of eleven fields. */
  public interface F11<A, B, C, D, E, F, G, H, I, J, K, S> {
    /** The value. */
    S apply(A a, B b, C c, D d, E e, F f, G g, H h, I i, J j, K k);
  }

  /** Makes a value of twelve fields. */
  public interface F12<A, B, C, D, E, F, G, H, I, J, K, L, S> {
    /** The value. */
    S apply(A a, B b, C c, D d, E e, F f, G g, H h, I i, J j, K k, L l);
  }

  /** Makes a value of thirteen fields. */
  public interface F13<A, B, C, D, E, F, G, H, I, J, K, L, M, S> {
    /** The value. */
    S apply(A a, B b, C c, D d, E e, F f, G g, H h, I i, J j, K k, L l, M m);
  }
}
