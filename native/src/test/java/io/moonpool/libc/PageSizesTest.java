package io.moonpool.libc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import org.junit.jupiter.api.Test;

class PageSizesTest {
  private static final String SMAPS =
      """
      7f0000000000-7f0000400000 rw-p 00000000 00:00 0
      Size:               4096 kB
      KernelPageSize:        4 kB
      Rss:                4096 kB
      AnonHugePages:      4096 kB
      ShmemPmdMapped:        0 kB
      VmFlags: rd wr mr mw me ac sd hg
      7f0000400000-7f0000800000 rw-s 00000000 00:01 5 /memfd:moonpool-region (deleted)
      Size:               4096 kB
      KernelPageSize:        4 kB
      Rss:                4096 kB
      AnonHugePages:         0 kB
      ShmemPmdMapped:     1024 kB
      ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]
      Size:                  4 kB
      KernelPageSize:       64 kB
      Rss:                   0 kB
      """;

  private static long effective(long address) throws IOException {
    return PageSizes.effective(new BufferedReader(new StringReader(SMAPS)), address);
  }

  @Test
  void findsTheMappingOfAnAddress() throws IOException {
    assertThat(effective(0x7f0000000000L)).isEqualTo(PageSizes.hugeBytes());
    assertThat(effective(0x7f00003fffffL)).isEqualTo(PageSizes.hugeBytes());
    assertThat(effective(0x7f0000400000L)).isEqualTo(4096);
    assertThat(effective(0xffffffffff600000L)).isEqualTo(65536);
    assertThat(effective(0x1000)).isEqualTo(Libc.PAGE_BYTES);
  }

  @Test
  void roundsToWholePages() {
    assertThat(PageSizes.roundUp(0, 4096)).isZero();
    assertThat(PageSizes.roundUp(1, 4096)).isEqualTo(4096);
    assertThat(PageSizes.roundUp(4096, 4096)).isEqualTo(4096);
    assertThat(PageSizes.roundDown(4095, 4096)).isZero();
  }
}
