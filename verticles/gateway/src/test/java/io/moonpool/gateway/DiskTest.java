package io.moonpool.gateway;

import static io.moonpool.gateway.LentMemory.TENANT;
import static io.moonpool.gateway.LentMemory.assertFails;
import static io.moonpool.gateway.LentMemory.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.moonpool.master.drain.DrainRequest;
import io.moonpool.master.drain.JobInfo;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.JobStatus;
import io.moonpool.protocol.mooncake.DiskCalls;
import io.moonpool.protocol.mooncake.DiskMessages.Capacity;
import io.moonpool.protocol.mooncake.DiskMessages.Evict;
import io.moonpool.protocol.mooncake.DiskMessages.ObjectTask;
import io.moonpool.protocol.mooncake.DiskMessages.Offloaded;
import io.moonpool.protocol.mooncake.DiskMessages.Offloading;
import io.moonpool.protocol.mooncake.DiskMessages.StoredAt;
import io.moonpool.protocol.mooncake.Place;
import io.moonpool.protocol.mooncake.SegmentCalls;
import io.moonpool.protocol.mooncake.SegmentMessages;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The disks of clients of Mooncake. */
class DiskTest {
  private static final String ENDPOINT = "127.0.0.1:7777";
  private static final int MIB = 1 << 20;
  private GatewayMaster master;
  private LentMemory client;

  @BeforeEach
  void start() {
    master = GatewayMaster.start();
    client = new LentMemory(master, "memory", 1L << 40, MIB);
  }

  @AfterEach
  void stop() {
    client.close();
    master.close();
  }

  private void mountDisk() {
    client.call(DiskCalls.MOUNT_LOCAL_DISK_SEGMENT, new Offloading(client.id, true));
  }

  private List<ObjectTask> work() {
    return client.call(DiskCalls.OFFLOAD_OBJECT_HEARTBEAT, new Offloading(client.id, true));
  }

  private ObjectTask workFor(String key, long size) {
    client.put(key, size);
    ObjectTask task =
        await()
            .atMost(Duration.ofSeconds(20))
            .until(this::work, tasks -> !tasks.isEmpty())
            .getFirst();
    assertThat(task.key()).isEqualTo(bytes(key));
    assertThat(task.size()).isEqualTo(size);
    return task;
  }

  private void stored(ObjectTask task, long size) {
    client.call(
        DiskCalls.NOTIFY_OFFLOAD_SUCCESS,
        new Offloaded(client.id, List.of(task), List.of(new StoredAt(1, 0, 1, size, ENDPOINT))));
  }

  @Test
  void aClientWithoutADiskHasNoWork() {
    assertFails(ErrorCode.SEGMENT_NOT_FOUND, this::work);
    assertFails(
        ErrorCode.SEGMENT_NOT_FOUND,
        () -> client.call(DiskCalls.REPORT_SSD_CAPACITY, new Capacity(client.id, 1)));
    client.call(DiskCalls.UNMOUNT_LOCAL_DISK_SEGMENT, client.id);
  }

  @Test
  void anObjectIsOnDiskWhenItsClientSaysSo() {
    mountDisk();
    mountDisk();
    client.call(DiskCalls.REPORT_SSD_CAPACITY, new Capacity(client.id, 1 << 30));
    ObjectTask task = workFor("k", 100);
    assertThat(client.locate("k").replicas()).hasSize(1);
    stored(task, 100);
    assertThat(client.locate("k").replicas())
        .hasSize(2)
        .anySatisfy(
            replica ->
                assertThat(replica.place())
                    .isEqualTo(new Place.LocalDisk(client.id, 100, ENDPOINT)));
    client.call(DiskCalls.EVICT_DISK_REPLICA, new Evict(client.id, bytes("k"), TENANT, 2));
    assertThat(client.locate("k").replicas()).hasSize(1);
    assertFails(
        ErrorCode.INVALID_PARAMS,
        () ->
            client.call(DiskCalls.EVICT_DISK_REPLICA, new Evict(client.id, bytes("k"), TENANT, 0)));
  }

  @Test
  void whatWasNotStoredIsNotOnDisk() {
    mountDisk();
    stored(workFor("k", 100), -1);
    assertThat(client.locate("k").replicas()).hasSize(1);
    // What nobody has asked for may be of an object that was removed.
    stored(new ObjectTask(TENANT, bytes("k"), 100), 100);
    assertThat(client.locate("k").replicas()).hasSize(1);
    assertThat(client.call(DiskCalls.POLL_REMOVE_ALL, client.id)).isFalse();
  }

  @Test
  void whatIsOnDiskOnlyCannotBeDrained() {
    try (LentMemory other = new LentMemory(master, "other", 1L << 41, MIB)) {
      mountDisk();
      stored(workFor("k", 100), 100);
      client.call(
          SegmentCalls.UNMOUNT_SEGMENT,
          new SegmentMessages.Unmount(client.segment.id(), client.id));
      assertThat(other.locate("k").replicas())
          .singleElement()
          .satisfies(replica -> assertThat(replica.place()).isInstanceOf(Place.LocalDisk.class));
      UUID job =
          master
              .on(
                  () ->
                      master.master().drains().createJob(DrainRequest.ofNode(client.id.toString())))
              .id();
      JobInfo ended =
          await()
              .atMost(Duration.ofSeconds(60))
              .until(
                  () -> master.on(() -> master.master().drains().job(job)),
                  info -> info.status() == JobStatus.FAILED);
      assertThat(ended.message()).contains("cannot be moved by that client").contains("'k'");
    }
  }
}
