package io.moonpool.client.parts;

import static io.moonpool.client.Pool.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.ObjectReader;
import io.moonpool.client.Pool;
import io.moonpool.client.WriteOptions;
import io.moonpool.model.ChecksumKind;
import io.moonpool.model.ClientState;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentKind;
import io.moonpool.model.SegmentSpec;
import io.moonpool.model.SegmentStatus;
import io.moonpool.model.StoreException;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LargeObjectsTest {
  private static final int PART = 1 << 20;

  private final Pool pool = new Pool(2);
  private final MoonpoolClient client = pool.client();
  private final PartOptions options = new PartOptions(PART, 2);
  private final LargeObjects values = new LargeObjects(client, options);
  private final FileTransfer files = FileTransfer.open(pool.vertx, client, options);

  @TempDir Path directory;

  @AfterEach
  void close() {
    await(files.close());
    await(client.close());
    pool.close();
  }

  private static byte[] random(int size, long seed) {
    byte[] bytes = new byte[size];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static void assertFails(ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private Path file(byte[] content) throws IOException {
    return Files.write(Files.createTempFile(directory, "in", ""), content);
  }

  private byte[] read(String key, long offset, int length) {
    ObjectReader reader = await(values.open(key));
    MemorySegment target = Arena.ofAuto().allocate(length);
    await(reader.read(offset, target));
    return target.toArray(ValueLayout.JAVA_BYTE);
  }

  private List<String> keys() {
    return await(client.list("", 1_000).nextPage()).stream().map(ObjectInfo::key).toList();
  }

  private void putFile(String key, byte[] content, boolean upsert) throws IOException {
    assertThat(await(files.put(key, file(content), WriteOptions.DEFAULT, upsert)))
        .isEqualTo(content.length);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, PART, PART + 1, 3 * PART, 5 * PART + 123})
  void filesGoInAndComeOut(int size) throws IOException {
    byte[] content = random(size, size);
    putFile("dir/file", content, false);
    assertThat(keys()).hasSize(size <= PART ? 1 : 1 + Math.ceilDiv(size, PART));
    Path out = directory.resolve("out");
    assertThat(await(files.get("dir/file", out))).isEqualTo(size);
    assertThat(Files.readAllBytes(out)).isEqualTo(content);
    assertThat(await(values.size("dir/file"))).isEqualTo(size);
    assertThat(await(values.exists("dir/file"))).isTrue();
    await(values.remove("dir/file", false));
    assertThat(keys()).isEmpty();
    assertThat(await(values.exists("dir/file"))).isFalse();
    assertFails(ErrorCode.OBJECT_NOT_FOUND, () -> await(files.get("dir/file", out)));
    assertThat(out).hasBinaryContent(content); // a read that fails leaves the file alone
    try (var left = Files.list(directory)) {
      assertThat(left).hasSize(2);
    }
  }

  @Test
  void rangesCrossParts() throws IOException {
    byte[] content = random(4 * PART + 77, 1);
    putFile("key", content, false);
    Random random = new Random(2);
    for (int i = 0; i < 30; i++) {
      int from = random.nextInt(content.length);
      int length = 1 + random.nextInt(content.length - from);
      assertThat(read("key", from, length))
          .isEqualTo(Arrays.copyOfRange(content, from, from + length));
    }
    ObjectReader reader = await(values.open("key"));
    MemorySegment two = Arena.ofAuto().allocate(2);
    assertFails(ErrorCode.INVALID_PARAMS, () -> await(reader.read(content.length - 1, two)));
  }

  @Test
  void aReplacedValueLosesItsParts() throws IOException {
    putFile("key", random(3 * PART, 3), false);
    byte[] changed = random(2 * PART, 4);
    putFile("key", changed, true);
    assertThat(read("key", 0, changed.length)).isEqualTo(changed);
    assertThat(keys()).hasSize(3);
    byte[] small = random(10, 5);
    putFile("key", small, true);
    assertThat(read("key", 0, 10)).isEqualTo(small);
    assertThat(keys()).containsExactly("key");
    putFile("key", changed, true);
    assertThat(read("key", 0, changed.length)).isEqualTo(changed);
  }

  @Test
  void anExistingValueIsNotTouched() throws IOException {
    byte[] content = random(2 * PART, 6);
    putFile("key", content, false);
    Path other = file(random(3 * PART, 7));
    assertFails(
        ErrorCode.OBJECT_ALREADY_EXISTS,
        () -> await(files.put("key", other, WriteOptions.DEFAULT, false)));
    Path small = file(random(3, 7));
    assertFails(
        ErrorCode.OBJECT_ALREADY_EXISTS,
        () -> await(files.put("key", small, WriteOptions.DEFAULT, false)));
    WriteOptions ignoring = WriteOptions.DEFAULT.withIgnoreExisting(true);
    await(files.put("key", small, ignoring, false));
    assertThat(keys()).hasSize(3);
    assertThat(read("key", 0, content.length)).isEqualTo(content);
  }

  @Test
  void aWriteThatFailsLeavesNothing() throws IOException {
    AtomicInteger ends = new AtomicInteger();
    pool.master.failing =
        name -> name.equals("End") && ends.incrementAndGet() == 3 ? ErrorCode.INVALID_WRITE : null;
    Path file = file(random(5 * PART, 8));
    assertFails(
        ErrorCode.INVALID_WRITE, () -> await(files.put("key", file, WriteOptions.DEFAULT, false)));
    assertThat(keys()).isEmpty();
    Path empty = file(new byte[0]);
    assertFails(
        ErrorCode.INVALID_PARAMS,
        () -> await(files.put("key", empty, WriteOptions.DEFAULT, false)));
    Path absent = directory.resolve("absent");
    assertFails(
        ErrorCode.FILE_NOT_FOUND,
        () -> await(files.put("key", absent, WriteOptions.DEFAULT, false)));
  }

  @Test
  void partsThatAreEvictedMeanwhileAreNoticed() {
    PartedUpload upload = await(values.upload("key", WriteOptions.DEFAULT, false));
    Arena arena = Arena.ofAuto();
    await(upload.add(arena.allocate(PART)));
    await(upload.add(arena.allocate(5)));
    await(client.remove(keys().getFirst(), true));
    assertFails(ErrorCode.NO_AVAILABLE_HANDLE, () -> await(upload.finish()));
    assertThat(keys()).isEmpty();
    assertThat(await(values.exists("key"))).isFalse();
  }

  @Test
  void partsAreLeasedUntilTheLastOneUnlessDisksHaveThem() {
    MemorySegment part = Arena.ofAuto().allocate(PART);
    PartedUpload upload = await(values.upload("key", WriteOptions.DEFAULT, false));
    int before = pool.master.calls.getOrDefault("Locate", 0);
    await(upload.add(part));
    assertThat(pool.master.calls).containsEntry("Locate", before + 1);
    await(upload.abort());

    pool.master.mount(
        new SegmentInfo(
            new SegmentSpec(
                new UUID(0, 9), "disk", 1L << 40, "", List.of(), SegmentKind.LOCAL_DISK),
            new UUID(1, 1),
            77,
            SegmentStatus.OK,
            ClientState.ACTIVE,
            0));
    PartedUpload overfilling = await(values.upload("key", WriteOptions.DEFAULT, false));
    int start = pool.master.calls.getOrDefault("Locate", 0);
    await(overfilling.add(part));
    await(overfilling.add(part));
    assertThat(pool.master.calls).containsEntry("Locate", start);
    await(overfilling.finish());
    assertThat(read("key", PART, PART)).isEqualTo(new byte[PART]);
  }

  @Test
  void partsStayWhenNobodyKnowsWhetherTheManifestIsThere() throws IOException {
    AtomicInteger ends = new AtomicInteger();
    pool.master.failing =
        name -> name.equals("End") && ends.incrementAndGet() >= 3 ? ErrorCode.RPC_TIMEOUT : null;
    Path file = file(random(2 * PART, 9));
    assertFails(
        ErrorCode.RPC_TIMEOUT, () -> await(files.put("key", file, WriteOptions.DEFAULT, false)));
    assertThat(keys()).hasSize(2);
  }

  @Test
  void aValueWithoutOneOfItsPartsIsNotThere() throws IOException {
    putFile("key", random(3 * PART, 10), false);
    String part = keys().stream().filter(key -> key.endsWith("-00001")).findFirst().orElseThrow();
    await(client.remove(part, true));
    assertFails(ErrorCode.OBJECT_NOT_FOUND, () -> await(values.open("key")));
    assertThat(await(values.exists("key"))).isFalse();
    byte[] anew = random(2 * PART, 11);
    putFile("key", anew, false);
    assertThat(read("key", 0, anew.length)).isEqualTo(anew);
    assertThat(keys()).hasSize(3);
  }

  @Test
  void aPartThatIsNotTheWrittenOneIsNoticed() throws IOException {
    putFile("key", random(3 * PART, 12), false);
    String part = keys().stream().filter(key -> key.endsWith("-00001")).findFirst().orElseThrow();
    await(client.upsert(part, random(PART, 13)));
    assertThat(read("key", 0, PART)).isEqualTo(Arrays.copyOf(random(3 * PART, 12), PART));
    assertFails(ErrorCode.CHECKSUM_MISMATCH, () -> read("key", PART, 10));
  }

  @Test
  void aValueThatLooksLikeAManifestIsAValue() {
    Manifest manifest = new Manifest(2 * PART, PART, "0000000000000000", List.of(1L, 2L));
    Buffer bytes = manifest.encode();
    await(client.put("fake", bytes));
    assertThat(await(client.get("fake"))).isEqualTo(bytes);
    assertThat(await(values.size("fake"))).isEqualTo(bytes.length());
    assertThat(read("fake", 0, bytes.length())).isEqualTo(bytes.getBytes());
  }

  @Test
  void thePlainClientRefusesManifests() throws IOException {
    putFile("key", random(2 * PART, 14), false);
    assertFails(ErrorCode.NOT_SUPPORTED, () -> await(client.get("key")));
    assertThat(await(client.describe("key")).checksum().kind()).isEqualTo(ChecksumKind.MANIFEST);
  }

  @Test
  void aDamagedManifestIsAnErrorAndCanBeReplaced() throws IOException {
    await(client.put("key", Buffer.buffer("{\"magic\": 7"), WriteOptions.DEFAULT.asManifest()));
    assertFails(ErrorCode.DESERIALIZE_FAIL, () -> await(values.open("key")));
    await(client.upsert("key", Buffer.buffer("{}"), WriteOptions.DEFAULT.asManifest()));
    assertFails(ErrorCode.NOT_SUPPORTED, () -> await(values.open("key")));
    putFile("key", random(5, 15), true);
    assertThat(read("key", 0, 5)).isEqualTo(random(5, 15));
  }
}
