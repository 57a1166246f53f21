package io.moonpool.master.docs;

import io.moonpool.master.grpc.GrpcStatuses;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ErrorKind;
import org.junit.jupiter.api.Test;

/** The error table of {@code docs/errors.md} is that of the code. */
class ErrorsPageTest {
  @Test
  void theTableHoldsEveryError() {
    StringBuilder table =
        new StringBuilder("| number | name | HTTP | gRPC | meaning, and what to do |\n");
    table.append("|---|---|---|---|---|\n");
    for (ErrorCode code : ErrorCode.values()) {
      if (code != ErrorCode.OK) {
        table
            .append("| ")
            .append(code.number())
            .append(" | `")
            .append(code.name())
            .append("` | ")
            .append(ErrorKind.of(code).httpStatus())
            .append(" | ")
            .append(GrpcStatuses.of(code).name())
            .append(" | ")
            .append(code.sentence())
            .append(" |\n");
      }
    }
    new Document("errors.md").partMustBe("errors", table.toString());
  }
}
