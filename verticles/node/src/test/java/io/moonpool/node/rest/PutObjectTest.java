package io.moonpool.node.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.model.ClientState;
import io.moonpool.model.SegmentEndpoint;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentSpec;
import io.moonpool.model.SegmentStatus;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class PutObjectTest {
  private static SegmentInfo segment(long bytes, SegmentKind kind) {
    SegmentSpec spec =
        new SegmentSpec(
            new UUID(1, 1),
            "segment",
            bytes,
            "host",
            List.of(new SegmentEndpoint("tcp", new byte[] {1})),
            kind);
    return new SegmentInfo(spec, new UUID(1, 2), 1, SegmentStatus.OK, ClientState.ACTIVE, 0);
  }

  @Test
  void aValueMayBeAsLargeAsMemoryAndDisksTogetherAndAPartAsASegment() {
    List<SegmentInfo> memory = List.of(segment(100, SegmentKind.MEMORY));
    List<SegmentInfo> both =
        List.of(segment(100, SegmentKind.MEMORY), segment(1000, SegmentKind.LOCAL_DISK));
    for (List<SegmentInfo> segments : List.of(memory, both)) {
      assertThat(PutObject.tooLarge(segments, 100, 100)).isEmpty();
      assertThat(PutObject.tooLarge(segments, 101, 200)).contains("the largest has 100");
    }
    assertThat(PutObject.tooLarge(memory, 101, 100)).contains("memory and disks together 100");
    assertThat(PutObject.tooLarge(both, 1100, 100)).isEmpty();
    assertThat(PutObject.tooLarge(both, 1101, 100)).contains("memory and disks together 1100");
    assertThat(PutObject.tooLarge(List.of(segment(9, SegmentKind.LOCAL_DISK)), 100, 100))
        .as("no memory is mounted yet")
        .isEmpty();
  }
}
