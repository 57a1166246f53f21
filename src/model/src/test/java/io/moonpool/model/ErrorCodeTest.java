package io.moonpool.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ErrorCodeTest {
  @Test
  void numbersAreUniqueAndResolveBack() {
    assertThat(Arrays.stream(ErrorCode.values()).map(ErrorCode::number)).doesNotHaveDuplicates();
    for (ErrorCode code : ErrorCode.values()) {
      assertThat(ErrorCode.ofNumber(code.number())).isEqualTo(code);
    }
  }

  @Test
  void unknownNumbersAreInternalErrorsOnTheWire() {
    assertThat(ErrorCode.ofNumber(-4711)).isNull();
    assertThat(ErrorCode.fromWire(-4711)).isEqualTo(ErrorCode.INTERNAL_ERROR);
  }

  @Test
  void everyErrorSaysWhatToDo() {
    for (ErrorCode code : ErrorCode.values()) {
      assertThat(code.advice()).isNotBlank();
    }
  }
}
