package io.moonpool.protocol.wire;

import static io.moonpool.protocol.wire.Choices.optional;
import static io.moonpool.protocol.wire.Choices.outcome;
import static io.moonpool.protocol.wire.Choices.variant;
import static io.moonpool.protocol.wire.Containers.KEYS;
import static io.moonpool.protocol.wire.Containers.TEXT;
import static io.moonpool.protocol.wire.Containers.list;
import static io.moonpool.protocol.wire.Containers.longs;
import static io.moonpool.protocol.wire.Containers.map;
import static io.moonpool.protocol.wire.Scalars.BOOL;
import static io.moonpool.protocol.wire.Scalars.I32;
import static io.moonpool.protocol.wire.Scalars.I64;
import static io.moonpool.protocol.wire.Scalars.ID;
import static io.moonpool.protocol.wire.Scalars.U64;
import static io.moonpool.protocol.wire.Scalars.U8;
import static io.moonpool.protocol.wire.Scalars.UNIT;
import static io.moonpool.protocol.wire.Structs.field;
import static io.moonpool.protocol.wire.Structs.flag;
import static io.moonpool.protocol.wire.Structs.i32;
import static io.moonpool.protocol.wire.Structs.i64;
import static io.moonpool.protocol.wire.Structs.struct;
import static io.moonpool.protocol.wire.Structs.text;
import static io.moonpool.protocol.wire.Structs.u32;
import static io.moonpool.protocol.wire.Structs.u64;
import static io.moonpool.protocol.wire.Structs.uuid;

import io.moonpool.model.KeyBatch;
import io.moonpool.model.Outcome;
import io.moonpool.protocol.wire.Choices.Alternative;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** Types of calls that were captured on the wire, described with this library. */
final class CapturedTypes {
  private CapturedTypes() {}

  sealed interface Location {
    record Memory(Buffer buffer) implements Location {}

    record Remote(Buffer buffer) implements Location {}

    record File(String path, long size) implements Location {}

    record LocalFile(UUID client, long size, String endpoint) implements Location {}

    record Shared(String path, long a, long b, long c, int d) implements Location {}
  }

  record Buffer(long size, long address, String protocol, String endpoint) {
    static final Codec<Buffer> CODEC =
        struct(
            u64(Buffer::size),
            u64(Buffer::address),
            text(Buffer::protocol),
            text(Buffer::endpoint),
            Buffer::new);
  }

  record Replica(long id, Location location, int status) {
    static final Codec<Replica> CODEC =
        struct(
            u64(Replica::id),
            field(
                variant(
                    new Alternative<>(
                        Location.Memory.class,
                        struct(field(Buffer.CODEC, Location.Memory::buffer), Location.Memory::new)),
                    new Alternative<>(
                        Location.Remote.class,
                        struct(field(Buffer.CODEC, Location.Remote::buffer), Location.Remote::new)),
                    new Alternative<>(
                        Location.File.class,
                        struct(
                            text(Location.File::path),
                            u64(Location.File::size),
                            Location.File::new)),
                    new Alternative<>(
                        Location.LocalFile.class,
                        struct(
                            uuid(Location.LocalFile::client),
                            u64(Location.LocalFile::size),
                            text(Location.LocalFile::endpoint),
                            Location.LocalFile::new)),
                    new Alternative<>(
                        Location.Shared.class,
                        struct(
                            text(Location.Shared::path),
                            u64(Location.Shared::a),
                            u64(Location.Shared::b),
                            u64(Location.Shared::c),
                            i32(Location.Shared::d),
                            Location.Shared::new))),
                Replica::location),
            i32(Replica::status),
            Replica::new);
  }

  record Config(
      long replicas,
      long remote,
      long shared,
      int pinAction,
      OptionalLong pinTtl,
      boolean hardPin,
      List<String> preferred,
      String first,
      List<String> preferredRemote,
      boolean sameNode,
      int dataType,
      String hostId,
      Optional<List<String>> groups) {
    static final Codec<Config> CODEC =
        struct(
            u64(Config::replicas),
            u64(Config::remote),
            u64(Config::shared),
            field(U8, Config::pinAction),
            field(optional(U64), Config::pinTtl),
            flag(Config::hardPin),
            field(list(TEXT), Config::preferred),
            text(Config::first),
            field(list(TEXT), Config::preferredRemote),
            flag(Config::sameNode),
            field(U8, Config::dataType),
            text(Config::hostId),
            field(optional(list(TEXT)), Config::groups),
            Config::new);
  }

  record Key(String key, String tenant) {
    static final Codec<Key> CODEC = struct(text(Key::key), text(Key::tenant), Key::new);
  }

  record Keys(KeyBatch keys, String tenant) {
    static final Codec<Keys> CODEC = struct(field(KEYS, Keys::keys), text(Keys::tenant), Keys::new);
  }

  record PutStart(UUID client, String key, long size, Config config, String tenant) {
    static final Codec<PutStart> CODEC =
        struct(
            uuid(PutStart::client),
            text(PutStart::key),
            u64(PutStart::size),
            field(Config.CODEC, PutStart::config),
            text(PutStart::tenant),
            PutStart::new);
  }

  record BatchPutStart(UUID client, KeyBatch keys, long[] sizes, Config config, String tenant) {
    static final Codec<BatchPutStart> CODEC =
        struct(
            uuid(BatchPutStart::client),
            field(KEYS, BatchPutStart::keys),
            field(longs(U64), BatchPutStart::sizes),
            field(Config.CODEC, BatchPutStart::config),
            text(BatchPutStart::tenant),
            BatchPutStart::new);
  }

  record Meta(String key, OptionalLong checksum) {
    static final Codec<Meta> CODEC =
        struct(text(Meta::key), field(optional(U64), Meta::checksum), Meta::new);
  }

  record PutEnd(UUID client, Meta meta, int type, String tenant) {
    static final Codec<PutEnd> CODEC =
        struct(
            uuid(PutEnd::client),
            field(Meta.CODEC, PutEnd::meta),
            i32(PutEnd::type),
            text(PutEnd::tenant),
            PutEnd::new);
  }

  record BatchPutEnd(UUID client, List<Meta> metas, int type, String tenant) {
    static final Codec<BatchPutEnd> CODEC =
        struct(
            uuid(BatchPutEnd::client),
            field(list(Meta.CODEC), BatchPutEnd::metas),
            i32(BatchPutEnd::type),
            text(BatchPutEnd::tenant),
            BatchPutEnd::new);
  }

  record Found(List<Replica> replicas, long lease, OptionalLong checksum) {
    static final Codec<Found> CODEC =
        struct(
            field(list(Replica.CODEC), Found::replicas),
            u64(Found::lease),
            field(optional(U64), Found::checksum),
            Found::new);
  }

  record Pong(long view, int status) {
    static final Codec<Pong> CODEC = struct(i64(Pong::view), i32(Pong::status), Pong::new);
  }

  record Segment(
      UUID id, String name, long base, long size, String endpoint, String protocol, String host) {
    static final Codec<Segment> CODEC =
        struct(
            uuid(Segment::id),
            text(Segment::name),
            u64(Segment::base),
            u64(Segment::size),
            text(Segment::endpoint),
            text(Segment::protocol),
            text(Segment::host),
            Segment::new);
  }

  record Mount(Segment segment, UUID client) {
    static final Codec<Mount> CODEC =
        struct(field(Segment.CODEC, Mount::segment), uuid(Mount::client), Mount::new);
  }

  record Remount(List<Segment> segments, UUID client) {
    static final Codec<Remount> CODEC =
        struct(field(list(Segment.CODEC), Remount::segments), uuid(Remount::client), Remount::new);
  }

  record Ids(UUID a, UUID b) {
    static final Codec<Ids> CODEC = struct(uuid(Ids::a), uuid(Ids::b), Ids::new);
  }

  record Fetch(UUID client, long limit) {
    static final Codec<Fetch> CODEC = struct(uuid(Fetch::client), u64(Fetch::limit), Fetch::new);
  }

  record Task(UUID id, int type, String payload, long created, int retries) {
    static final Codec<Task> CODEC =
        struct(
            uuid(Task::id),
            i32(Task::type),
            text(Task::payload),
            i64(Task::created),
            u32(Task::retries),
            Task::new);
  }

  record Removal(String key, boolean force, String tenant) {
    static final Codec<Removal> CODEC =
        struct(text(Removal::key), flag(Removal::force), text(Removal::tenant), Removal::new);
  }

  record Copy(Replica source, List<Replica> targets) {
    static final Codec<Copy> CODEC =
        struct(
            field(Replica.CODEC, Copy::source),
            field(list(Replica.CODEC), Copy::targets),
            Copy::new);
  }

  record Move(Replica source, Optional<Replica> target) {
    static final Codec<Move> CODEC =
        struct(
            field(Replica.CODEC, Move::source),
            field(optional(Replica.CODEC), Move::target),
            Move::new);
  }

  record Offload(String tenant, String key, long size) {
    static final Codec<Offload> CODEC =
        struct(text(Offload::tenant), text(Offload::key), i64(Offload::size), Offload::new);
  }

  record Stored(long a, long b, long c, long d, String path) {
    static final Codec<Stored> CODEC =
        struct(
            i64(Stored::a),
            i64(Stored::b),
            i64(Stored::c),
            i64(Stored::d),
            text(Stored::path),
            Stored::new);
  }

  record Offloaded(UUID client, List<Offload> tasks, List<Stored> stored) {
    static final Codec<Offloaded> CODEC =
        struct(
            uuid(Offloaded::client),
            field(list(Offload.CODEC), Offloaded::tasks),
            field(list(Stored.CODEC), Offloaded::stored),
            Offloaded::new);
  }

  record StorageConfig(String directory, boolean evict, long quota) {
    static final Codec<StorageConfig> CODEC =
        struct(
            text(StorageConfig::directory),
            flag(StorageConfig::evict),
            u64(StorageConfig::quota),
            StorageConfig::new);
  }

  /** Argument and result of a call; a missing argument is a call without arguments. */
  record Described(Optional<Message<?>> argument, Message<?> result) {}

  static final Codec<List<Outcome<Void>>> OUTCOMES = list(outcome(UNIT));

  static Map<String, Described> calls() {
    Map<String, Described> calls = new LinkedHashMap<>();
    for (String name : List.of("PutStart", "UpsertStart")) {
      calls.put(name, described(PutStart.CODEC, outcome(list(Replica.CODEC))));
    }
    for (String name : List.of("BatchPutStart", "BatchUpsertStart")) {
      calls.put(name, described(BatchPutStart.CODEC, list(outcome(list(Replica.CODEC)))));
    }
    for (String name : List.of("PutEnd", "UpsertEnd")) {
      calls.put(name, described(PutEnd.CODEC, outcome(UNIT)));
    }
    calls.put("BatchPutEnd", described(BatchPutEnd.CODEC, OUTCOMES));
    calls.put("ExistKey", described(Key.CODEC, outcome(BOOL)));
    calls.put("BatchExistKey", described(Keys.CODEC, list(outcome(BOOL))));
    calls.put("GetReplicaList", described(Key.CODEC, outcome(Found.CODEC)));
    calls.put("BatchGetReplicaList", described(Keys.CODEC, list(outcome(Found.CODEC))));
    calls.put(
        "GetReplicaListByRegex", described(Key.CODEC, outcome(map(TEXT, list(Replica.CODEC)))));
    calls.put("BatchQueryIp", described(list(ID), outcome(map(ID, list(TEXT)))));
    calls.put("Ping", described(ID, outcome(Pong.CODEC)));
    calls.put("Remove", described(Removal.CODEC, outcome(UNIT)));
    calls.put("RemoveByRegex", described(Removal.CODEC, outcome(I64)));
    record All(boolean force, String tenant) {}
    calls.put("RemoveAll", described(struct(flag(All::force), text(All::tenant), All::new), I64));
    calls.put("MountSegment", described(Mount.CODEC, outcome(UNIT)));
    calls.put("ReMountSegment", described(Remount.CODEC, outcome(UNIT)));
    calls.put("UnmountSegment", described(Ids.CODEC, outcome(UNIT)));
    calls.put("QuerySegmentStatus", described(TEXT, outcome(I32)));
    calls.put("FetchTasks", described(Fetch.CODEC, outcome(list(Task.CODEC))));
    calls.put("NotifyOffloadSuccess", described(Offloaded.CODEC, outcome(UNIT)));
    record Mode(UUID client, boolean on) {}
    calls.put(
        "OffloadObjectHeartbeat",
        described(
            struct(uuid(Mode::client), flag(Mode::on), Mode::new), outcome(list(Offload.CODEC))));
    record CopyKey(UUID client, String key, String source, String tenant, List<String> targets) {}
    calls.put(
        "CopyStart",
        described(
            struct(
                uuid(CopyKey::client),
                text(CopyKey::key),
                text(CopyKey::source),
                text(CopyKey::tenant),
                field(list(TEXT), CopyKey::targets),
                CopyKey::new),
            outcome(Copy.CODEC)));
    record MoveKey(UUID client, String key, String source, String target, String tenant) {}
    calls.put(
        "MoveStart",
        described(
            struct(
                uuid(MoveKey::client),
                text(MoveKey::key),
                text(MoveKey::source),
                text(MoveKey::target),
                text(MoveKey::tenant),
                MoveKey::new),
            outcome(Move.CODEC)));
    calls.put("MarkTaskToComplete", described(U64, BOOL));
    calls.put("ServiceReady", result(outcome(TEXT)));
    calls.put("GetStorageConfig", result(outcome(StorageConfig.CODEC)));
    return calls;
  }

  private static Described described(Codec<?> argument, Codec<?> result) {
    return new Described(Optional.of(Message.of(argument)), Message.of(result));
  }

  private static Described result(Codec<?> result) {
    return new Described(Optional.empty(), Message.of(result));
  }

  /** All described types, for tests that want many. */
  static List<Message<?>> messages() {
    List<Message<?>> all = new ArrayList<>();
    calls()
        .values()
        .forEach(
            call -> {
              call.argument().ifPresent(all::add);
              all.add(call.result());
            });
    return all;
  }
}
