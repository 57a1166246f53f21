package io.moonpool.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.protocol.wire.CapturedTypes.Described;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Type literals, type codes and function ids equal those that were captured. */
class CapturedCallsTest {
  private static final int CALL = 0;
  private static final int FUNCTION = 1;
  private static final int ARGUMENT_CODE = 2;
  private static final int ARGUMENT_LITERAL = 3;
  private static final int RESULT_CODE = 4;
  private static final int RESULT_LITERAL = 5;

  private final Map<String, String[]> captured =
      Fixtures.rows("calls.tsv").stream()
          .collect(Collectors.toMap(row -> row[CALL], Function.identity()));

  @Test
  void everyFunctionIdIsMadeOfTheQualifiedName() {
    assertThat(captured).hasSize(64);
    assertThat(captured.values())
        .allSatisfy(
            row ->
                assertThat(
                        Message.md5Prefix(
                            ("mooncake::WrappedMasterService::" + row[CALL])
                                .getBytes(StandardCharsets.UTF_8)))
                    .isEqualTo(Long.decode(row[FUNCTION]).intValue()));
  }

  @Test
  void everyTypeCodeIsMadeOfTheLiteral() {
    assertThat(captured.values())
        .allSatisfy(
            row -> {
              assertThat(codeOf(row[RESULT_LITERAL]))
                  .isEqualTo(Long.decode(row[RESULT_CODE]).intValue());
              if (!row[ARGUMENT_LITERAL].isEmpty()) {
                assertThat(codeOf(row[ARGUMENT_LITERAL]))
                    .isEqualTo(Long.decode(row[ARGUMENT_CODE]).intValue());
              }
            });
  }

  private static int codeOf(String literal) {
    return Message.md5Prefix(HexFormat.of().parseHex(literal)) & ~1;
  }

  @TestFactory
  Stream<DynamicTest> descriptionsGiveTheCapturedLiterals() {
    return CapturedTypes.calls().entrySet().stream()
        .map(
            call ->
                DynamicTest.dynamicTest(
                    call.getKey(), () -> check(captured.get(call.getKey()), call.getValue())));
  }

  private static void check(String[] row, Described call) {
    assertThat(call.result().literal()).isEqualTo(row[RESULT_LITERAL]);
    assertThat(call.result().code()).isEqualTo(Long.decode(row[RESULT_CODE]).intValue());
    assertThat(call.argument().map(Message::literal).orElse("")).isEqualTo(row[ARGUMENT_LITERAL]);
    call.argument()
        .ifPresent(
            argument ->
                assertThat(argument.code()).isEqualTo(Long.decode(row[ARGUMENT_CODE]).intValue()));
  }
}
