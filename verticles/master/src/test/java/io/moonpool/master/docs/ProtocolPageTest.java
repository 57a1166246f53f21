package io.moonpool.master.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.Outcome;
import io.moonpool.protocol.call.Call;
import io.moonpool.protocol.call.CallError;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.NodeCalls;
import io.moonpool.protocol.heartbeat.HeartbeatFrame;
import io.moonpool.protocol.heartbeat.PingStatus;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/protocol.md} tells every call with the types that the code has for it: wire types
 * from the literals that the codecs make, names from the records that they fill.
 */
class ProtocolPageTest {
  private static final String UUID_LITERAL = "fd04048989ff";
  private static final Map<Integer, String> SCALARS =
      Map.ofEntries(
          Map.entry(0x01, "i32"),
          Map.entry(0x02, "u32"),
          Map.entry(0x03, "i64"),
          Map.entry(0x04, "u64"),
          Map.entry(0x05, "i8"),
          Map.entry(0x06, "u8"),
          Map.entry(0x07, "i16"),
          Map.entry(0x08, "u16"),
          Map.entry(0x0b, "bool"),
          Map.entry(0x11, "f32"),
          Map.entry(0x12, "f64"));

  private final Map<String, String> structs = new TreeMap<>();
  private final Map<String, String> enums = new TreeMap<>();

  @Test
  void tellsEveryCall() throws Exception {
    String calls = table(Calls.class, Calls.ALL);
    String nodeCalls = table(NodeCalls.class, NodeCalls.ALL);
    Document page = new Document("protocol.md");
    page.partMustBe("calls of a master", calls);
    page.partMustBe("calls of a node", nodeCalls);
    page.partMustBe("structs", String.join("\n", structs.values()));
    page.partMustBe(
        "enumerations", "| type | numbers |\n|---|---|\n" + String.join("", enums.values()));
  }

  private String table(Class<?> holder, List<Call<?, ?>> all) throws Exception {
    Map<Call<?, ?>, Field> fields = new LinkedHashMap<>();
    for (Field field : holder.getFields()) {
      if (Call.class.isAssignableFrom(field.getType())) {
        fields.put((Call<?, ?>) field.get(null), field);
      }
    }
    assertThat(all).containsExactlyInAnyOrderElementsOf(fields.keySet());
    Map<String, String> meanings = meanings(holder);
    StringBuilder table =
        new StringBuilder(
            "| call | function id | request | its code | result | its code | what it does |\n"
                + "|---|---|---|---|---|---|---|\n");
    for (Call<?, ?> call : all) {
      Field field = fields.get(call);
      Type[] types = ((ParameterizedType) field.getGenericType()).getActualTypeArguments();
      String answer = call.answer().literal();
      assertThat(answer).as("an answer is a result or an error").startsWith("87");
      Literal literal = new Literal(answer.substring(2));
      String result = type(types[1], literal);
      type(CallError.class, literal);
      assertThat(literal.isEmpty()).isTrue();
      table.append(
          "| `%s` | `%08x` | %s | %s | %s | `%08x` | %s |\n"
              .formatted(
                  call.name().substring(call.name().lastIndexOf(':') + 1),
                  call.functionId(),
                  call.request().literal().isEmpty()
                      ? "empty"
                      : type(types[0], new Literal(call.request().literal())),
                  call.request().literal().isEmpty()
                      ? ""
                      : "`%08x`".formatted(call.request().code()),
                  result,
                  call.answer().code(),
                  meanings.get(field.getName())));
    }
    return table.toString();
  }

  /** The first sentences of the comments in the source, by constant. */
  private static Map<String, String> meanings(Class<?> holder) throws IOException {
    Path source =
        Document.ROOT.resolve(
            "src/protocol/src/main/java/" + holder.getName().replace('.', '/') + ".java");
    Matcher matcher =
        Pattern.compile("/\\*\\* ([^*]+) \\*/\\s+public static final Call<.*> (\\w+) =")
            .matcher(Files.readString(source));
    Map<String, String> meanings = new LinkedHashMap<>();
    while (matcher.find()) {
      meanings.put(matcher.group(2), matcher.group(1));
    }
    return meanings;
  }

  /** A type literal that is read from its start. */
  private static final class Literal {
    private final byte[] bytes;
    private int at;

    Literal(String digits) {
      bytes = HexFormat.of().parseHex(digits);
    }

    int next() {
      return bytes[at++] & 0xff;
    }

    boolean take(String digits) {
      byte[] expected = HexFormat.of().parseHex(digits);
      int end = Math.min(bytes.length, at + expected.length);
      if (!Arrays.equals(bytes, at, end, expected, 0, expected.length)) {
        return false;
      }
      at += expected.length;
      return true;
    }

    boolean isEmpty() {
      return at == bytes.length;
    }
  }

  /** The text for a type, from what the codec says and what the record holds. */
  private String type(Type java, Literal literal) {
    if (java == UUID.class) {
      assertThat(literal.take(UUID_LITERAL)).isTrue();
      return "uuid";
    }
    int code = literal.next();
    return switch (code) {
      case 0x80 -> {
        assertThat(literal.next()).isEqualTo(0x0c);
        yield java == byte[].class ? "bytes" : "text";
      }
      case 0x84 -> {
        String element = element(java, literal);
        yield "list of " + (element.contains(" ") ? "(" + element + ")" : element);
      }
      case 0x85 -> {
        assertThat(java).isEqualTo(OptionalLong.class);
        yield "optional " + type(long.class, literal);
      }
      case 0x87 -> {
        assertThat(((ParameterizedType) java).getRawType()).isEqualTo(Outcome.class);
        String value = type(((ParameterizedType) java).getActualTypeArguments()[0], literal);
        assertThat(literal.next()).as("the number of an error").isEqualTo(0x01);
        yield value + " or error number";
      }
      case 0xfa -> "nothing";
      case 0xfd -> struct((Class<?>) java, literal);
      default -> scalar(java, code);
    };
  }

  private String element(Type java, Literal literal) {
    if (java == KeyBatch.class) {
      return type(byte[].class, literal);
    }
    if (java instanceof Class<?> array && array.isArray()) {
      return type(array.getComponentType(), literal);
    }
    assertThat(((ParameterizedType) java).getRawType()).isEqualTo(List.class);
    return type(((ParameterizedType) java).getActualTypeArguments()[0], literal);
  }

  private String struct(Class<?> record, Literal literal) {
    StringBuilder text = new StringBuilder("`" + record.getSimpleName() + "`\n\n");
    text.append("| field | type |\n|---|---|\n");
    for (RecordComponent component : record.getRecordComponents()) {
      text.append("| `").append(snakeCase(component.getName())).append("` | ");
      text.append(type(component.getGenericType(), literal)).append(" |\n");
    }
    assertThat(literal.next()).as("all fields of %s", record).isEqualTo(0xff);
    structs.put(record.getSimpleName(), text.toString());
    return "`" + record.getSimpleName() + "`";
  }

  private String scalar(Type java, int code) {
    String wire = SCALARS.get(code);
    assertThat(wire).as("the type code %x", code).isNotNull();
    if (java == ErrorCode.class) {
      return wire + ", an error number";
    }
    if (java instanceof Class<?> constants && constants.isEnum()) {
      List<String> numbers = new ArrayList<>();
      for (Object constant : constants.getEnumConstants()) {
        try {
          Object number = constants.getMethod("number").invoke(constant);
          numbers.add(number + " " + constant.toString().toLowerCase(Locale.ROOT));
        } catch (ReflectiveOperationException e) {
          throw new AssertionError(e);
        }
      }
      enums.put(
          constants.getSimpleName(),
          "| `" + constants.getSimpleName() + "` | " + String.join(", ", numbers) + " |\n");
      return wire + ", `" + constants.getSimpleName() + "`";
    }
    return wire;
  }

  private static String snakeCase(String name) {
    return name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }

  @Test
  void theHeartbeatFrameIsLaidOutAsTheTableSays() {
    ByteBuf frame = Unpooled.buffer(HeartbeatFrame.BYTES).writeZero(HeartbeatFrame.BYTES);
    HeartbeatFrame.setPing(frame, 0, 0x01020304, 0x1112131415161718L, 0x2122L, 0x3132L);
    Map<String, Long> ping = fields(frame);
    assertThat(ping)
        .containsEntry("version", 1L)
        .containsEntry("kind", 1L)
        .containsEntry("status", 0L)
        .containsEntry("slot", 0x01020304L)
        .containsEntry("zero", 0L)
        .containsEntry("incarnation", 0x1112131415161718L)
        .containsEntry("sequence", 0x2122L)
        .containsEntry("sent_nanos", 0x3132L);
    assertThat(frame.toString(0, 4, java.nio.charset.StandardCharsets.US_ASCII)).isEqualTo("MPHB");
    HeartbeatFrame.setAnswer(frame, 0, PingStatus.NEED_REMOUNT, 0x41424344, 0x51525354);
    assertThat(fields(frame))
        .containsEntry("kind", 2L)
        .containsEntry("status", (long) PingStatus.NEED_REMOUNT.number())
        .containsEntry("slot", 0x41424344L)
        .containsEntry("zero", 0x51525354L)
        .containsEntry("incarnation", 0x1112131415161718L)
        .containsEntry("sequence", 0x2122L);
  }

  /** The fields of a frame, read where the table of the page has them. */
  private static Map<String, Long> fields(ByteBuf frame) {
    String page = new Document("protocol.md").text();
    Matcher row =
        Pattern.compile("(?m)^\\| (\\d+) \\| ([ui])(\\d+) \\| `(\\w+)` \\|")
            .matcher(page.substring(page.indexOf("## Heartbeat")));
    Map<String, Long> fields = new LinkedHashMap<>();
    int end = 0;
    while (row.find()) {
      int at = Integer.parseInt(row.group(1));
      assertThat(at).as("where %s starts", row.group(4)).isEqualTo(end);
      int bytes = Integer.parseInt(row.group(3)) / 8;
      long value = 0;
      for (int i = bytes - 1; i >= 0; i--) {
        value = value << 8 | frame.getUnsignedByte(at + i);
      }
      fields.put(row.group(4), value);
      end = at + bytes;
    }
    assertThat(end).isEqualTo(HeartbeatFrame.BYTES);
    return fields;
  }
}
