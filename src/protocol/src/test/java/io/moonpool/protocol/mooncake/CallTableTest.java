package io.moonpool.protocol.mooncake;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.protocol.call.Call;
import java.io.IOException;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is computed from the descriptions is what clients really use. */
class CallTableTest {
  /** One row: what a client of the captured version sends and expects. */
  record Row(
      String call,
      String functionId,
      String argumentCode,
      String argumentLiteral,
      String returnCode,
      String returnLiteral) {
    static Row of(String line) {
      String[] columns = line.split("\t", -1);
      return new Row(columns[0], columns[1], columns[2], columns[3], columns[4], columns[5]);
    }

    @Override
    public String toString() {
      return call;
    }
  }

  static List<Row> rows() throws IOException {
    return Exchange.lines("wire/calls.tsv").stream().skip(1).map(Row::of).toList();
  }

  private static String hex(int value) {
    return "0x%08x".formatted(value);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void everyRowIsComputed(Row row) {
    List<Call<?, ?>> named =
        MooncakeCalls.all().stream()
            .filter(call -> call.name().endsWith("::" + row.call()))
            .toList();
    assertThat(named).isNotEmpty();
    assertThat(named)
        .allSatisfy(call -> assertThat(hex(call.functionId())).isEqualTo(row.functionId()));
    Call<?, ?> call =
        named.stream()
            .filter(each -> each.request().literal().equals(row.argumentLiteral()))
            .findFirst()
            .orElse(named.getFirst());
    assertThat(call.request().literal()).isEqualTo(row.argumentLiteral());
    assertThat(call.answer().literal()).isEqualTo(row.returnLiteral());
    assertThat(hex(call.answer().code())).isEqualTo(row.returnCode());
    if (row.argumentLiteral().isEmpty()) {
      assertThat(row.argumentCode()).isEmpty();
    } else {
      assertThat(hex(call.request().code())).isEqualTo(row.argumentCode());
    }
  }

  @Test
  void noCallIsMissingAndNoneIsMore() throws IOException {
    TreeSet<String> described = new TreeSet<>();
    MooncakeCalls.all()
        .forEach(call -> described.add(call.name().substring(call.name().lastIndexOf(':') + 1)));
    assertThat(described)
        .containsExactlyElementsOf(new TreeSet<>(rows().stream().map(Row::call).toList()));
  }
}
