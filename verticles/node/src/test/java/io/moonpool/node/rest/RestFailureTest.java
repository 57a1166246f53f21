package io.moonpool.node.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.model.ErrorCode;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.Test;

class RestFailureTest {
  @Test
  void aClosedConnectionIsNoBug() {
    assertThat(RestFailure.of(new ClosedChannelException()).code())
        .isEqualTo(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS);
    assertThat(RestFailure.of(new IllegalStateException()).code())
        .isEqualTo(ErrorCode.INTERNAL_ERROR);
  }
}
