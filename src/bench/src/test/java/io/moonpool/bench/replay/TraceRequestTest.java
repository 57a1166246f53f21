package io.moonpool.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TraceRequestTest {
  @Test
  void readsALineOfATrace() {
    TraceRequest request =
        TraceRequest.parse(
            "{\"timestamp\": 27482, \"input_length\": 6955, \"output_length\": 52,"
                + " \"hash_ids\": [46, 47, 2353]}");
    assertThat(request.timestampMillis()).isEqualTo(27_482);
    assertThat(request.inputTokens()).isEqualTo(6_955);
    assertThat(request.outputTokens()).isEqualTo(52);
    assertThat(request.blocks()).containsExactly(46, 47, 2_353);
    assertThat(TraceRequest.parse(request.toLine()).blocks()).containsExactly(46, 47, 2_353);
  }

  @Test
  void whatIsNoRequestIsRefused() {
    for (String line :
        List.of(
            "",
            "x",
            "[1]",
            "{}",
            "{\"timestamp\": 1, \"input_length\": 1, \"output_length\": 1}",
            "{\"timestamp\": 1, \"input_length\": 1, \"hash_ids\": []}",
            "{\"timestamp\": \"1\", \"input_length\": 1, \"output_length\": 1, \"hash_ids\": []}",
            "{\"timestamp\": 1, \"input_length\": 1, \"output_length\": 1, \"hash_ids\": [null]}")) {
      assertThatIllegalArgumentException().as(line).isThrownBy(() -> TraceRequest.parse(line));
    }
  }

  @Test
  void syntheticPromptsBeginLikeOthers() {
    List<TraceRequest> trace = SyntheticTrace.of(2_000, 7);
    Set<Long> seen = new HashSet<>();
    long blocks = 0;
    long known = 0;
    for (TraceRequest request : trace) {
      boolean prefix = true;
      for (long block : request.blocks()) {
        boolean isNew = seen.add(block);
        // What is new comes behind what is known, as in a conversation.
        assertThat(prefix || isNew).isTrue();
        prefix &= !isNew;
        blocks++;
        known += isNew ? 0 : 1;
      }
      assertThat(
              (request.inputTokens() + TraceRequest.BLOCK_TOKENS - 1) / TraceRequest.BLOCK_TOKENS)
          .isEqualTo(request.blocks().length);
    }
    assertThat((double) known / blocks).isBetween(0.5, 0.95);
    assertThat(SyntheticTrace.of(2_000, 7).getLast().blocks()).isEqualTo(trace.getLast().blocks());
  }
}
