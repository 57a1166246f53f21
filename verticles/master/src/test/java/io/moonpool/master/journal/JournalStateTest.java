package io.moonpool.master.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JournalStateTest {
  private static JournalState copy(JournalState state) throws Exception {
    List<JournalRecord> records = new ArrayList<>();
    state.snapshot(records::add);
    ByteBuffer bytes = ByteBuffer.allocate(1 << 20);
    JournalState copy = new JournalState();
    for (JournalRecord record : records) {
      bytes.clear();
      RecordCodec.write(record, bytes);
      assertThat(bytes.position()).isLessThanOrEqualTo(RecordCodec.room(record));
      bytes.flip();
      copy.apply(RecordCodec.read(bytes));
      assertThat(bytes.hasRemaining()).isFalse();
    }
    return copy;
  }

  @Test
  void recordsMeanWhatTheModelSays() throws Exception {
    for (int seed = 0; seed < 200; seed++) {
      RandomRecords random = new RandomRecords(seed);
      NaiveJournal naive = new NaiveJournal();
      JournalState state = new JournalState();
      for (int i = 0; i < 200; i++) {
        JournalRecord record = random.next();
        state.apply(record);
        naive.apply(record);
        if (i % 20 == seed % 20) {
          naive.check(state);
        }
        if (i % 37 == seed % 37) {
          // As after a compaction: everything that follows must mean the same.
          state = copy(state);
          naive.check(state);
        }
      }
    }
  }

  @Test
  void floorsGoWhenNoDiskNeedsThem() {
    JournalState state = new JournalState();
    state.apply(
        new JournalRecord.DiskMounted(1, new java.util.UUID(0, 1), new java.util.UUID(0, 2), "d"));
    for (int i = 1; i <= 100_000; i++) {
      Floors floors = new Floors(1);
      floors.add(i % 10 + 1, i);
      state.apply(new JournalRecord.FloorsAdded(0, floors));
    }
    assertThat(state.floors()).as("one a key, however often it is written").isEqualTo(10);
    state.apply(new JournalRecord.DiskScanned(1));
    assertThat(state.floors()).isZero();
  }

  @Test
  void recordsThatAreCutShortAreNotRead() {
    RandomRecords random = new RandomRecords(7);
    ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
    for (int i = 0; i < 300; i++) {
      JournalRecord record = random.next();
      bytes.clear();
      RecordCodec.write(record, bytes);
      int length = bytes.position();
      for (int cut = 1; cut < length; cut += 1 + length / 20) {
        assertThat(RecordCodec.read(bytes.slice(0, cut))).isNull();
      }
    }
    assertThat(RecordCodec.read(ByteBuffer.wrap(new byte[] {99}))).isNull();
  }
}
