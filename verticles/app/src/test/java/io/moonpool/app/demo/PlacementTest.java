package io.moonpool.app.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.moonpool.model.Checksum;
import io.moonpool.model.ChecksumKind;
import io.moonpool.model.ObjectDataType;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.ReplicaDescriptor;
import io.moonpool.model.ReplicaStatus;
import io.moonpool.model.ReplicaType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where objects are follows from the replicas of all their parts. */
class PlacementTest {
  private static ObjectInfo info(String key, long size, ChecksumKind kind, ReplicaType... types) {
    List<ReplicaDescriptor> replicas = new ArrayList<>();
    for (ReplicaType type : types) {
      replicas.add(new ReplicaDescriptor(1, type, ReplicaStatus.COMPLETE, 1, 0, size));
    }
    return new ObjectInfo(
        "default",
        key,
        size,
        1,
        new Checksum(kind, 1, new int[0]),
        0,
        0,
        false,
        ObjectDataType.UNKNOWN,
        "",
        replicas);
  }

  private static ObjectInfo value(String key, long size, ReplicaType... types) {
    return info(key, size, ChecksumKind.CRC32C, types);
  }

  private static DemoObject object(String key) {
    return new DemoObject.GeneratedBytes(key, 1, 1);
  }

  @Test
  void memoryComesBeforeDisk() {
    Placement placement =
        Placement.of(
            List.of(object("a"), object("b"), object("c")),
            List.of(
                value("a", 10, ReplicaType.MEMORY, ReplicaType.LOCAL_DISK),
                value("b", 20, ReplicaType.LOCAL_DISK),
                value("c", 40, ReplicaType.MEMORY),
                value("somebody else's", 80, ReplicaType.MEMORY)));
    assertThat(placement).isEqualTo(new Placement(2, 1, 0, 50, 20, 1));
  }

  @Test
  void aLargeObjectIsWhereItsPartsAre() {
    Placement placement =
        Placement.of(
            List.of(object("mixed"), object("cold.part-of-a-name")),
            List.of(
                info("mixed", 900, ChecksumKind.MANIFEST, ReplicaType.MEMORY),
                value("mixed.part-0123456789abcdef-00000", 10, ReplicaType.LOCAL_DISK),
                value(
                    "mixed.part-0123456789abcdef-00001",
                    10,
                    ReplicaType.MEMORY,
                    ReplicaType.LOCAL_DISK),
                value("cold.part-of-a-name", 7, ReplicaType.LOCAL_DISK)));
    assertThat(placement).isEqualTo(new Placement(0, 1, 1, 10, 17, 0));
  }
}
