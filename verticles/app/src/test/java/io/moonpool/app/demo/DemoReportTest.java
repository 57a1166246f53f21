package io.moonpool.app.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a demo says about heaps follows from their peaks. */
class DemoReportTest {
  private static final long MB = 1_000_000;
  private static final Reads NOTHING =
      new Reads(new Timings(), new ReadSources(new Placement(0, 0, 0, 0, 0, 0), 0, 0));

  private static String sentence(PeakHeaps heaps) {
    DemoOptions options =
        new DemoOptions(
            List.of(
                new DemoObject.GeneratedBytes("small", 2 * MB, 1),
                new DemoObject.GeneratedBytes("large", 90 * MB, 2)),
            2,
            1,
            1,
            "");
    return new DemoReport(
            options,
            new Timings(),
            NOTHING,
            NOTHING,
            new DrainedNode("node-1", 0, 0, 0, 0, 0, 0),
            NOTHING,
            0,
            List.of(),
            List.of(),
            heaps,
            Map.of())
        .heapSentence();
  }

  @Test
  void anObjectThatIsLargerThanEveryHeapWasInNone() {
    assertThat(sentence(new PeakHeaps(20 * MB, List.of(30 * MB, 89 * MB), 40 * MB)))
        .isEqualTo("No heap ever held more than 89.0 MB, so none held a copy of large (90.0 MB).");
  }

  @Test
  void smallerObjectsProveNothing() {
    for (PeakHeaps heaps :
        List.of(
            new PeakHeaps(90 * MB, List.of(MB), MB),
            new PeakHeaps(MB, List.of(MB, 90 * MB), MB),
            new PeakHeaps(MB, List.of(MB), 90 * MB))) {
      assertThat(sentence(heaps))
          .isEqualTo(
              "No heap ever held more than 90.0 MB; the 92.0 MB of objects are kept outside of the"
                  + " heaps.");
    }
  }

  @Test
  void readsFiguresFromMetrics() {
    assertThat(new Scrape("# TYPE x\nx_peak_bytes 4.1943E7\nother 1\n").figure("x_peak_bytes"))
        .isEqualTo(41_943_000);
    assertThat(new Scrape("x_node_peak_bytes 17\n").figure("x_(?:node_)?peak_bytes")).isEqualTo(17);
    assertThatThrownBy(() -> new Scrape("other 1\n").figure("x")).isInstanceOf(DemoFailure.class);
  }
}
