package io.moonpool.protocol.mooncake;

import static io.moonpool.protocol.mooncake.MooncakeCalls.each;
import static io.moonpool.protocol.mooncake.MooncakeCalls.one;
import static io.moonpool.protocol.mooncake.MooncakeCalls.plain;
import static io.moonpool.protocol.wire.Structs.field;
import static io.moonpool.protocol.wire.Structs.flag;
import static io.moonpool.protocol.wire.Structs.i32;
import static io.moonpool.protocol.wire.Structs.struct;
import static io.moonpool.protocol.wire.Structs.text;
import static io.moonpool.protocol.wire.Structs.u64;
import static io.moonpool.protocol.wire.Structs.uuid;

import io.moonpool.model.Outcome;
import io.moonpool.protocol.call.Call;
import io.moonpool.protocol.wire.Codec;
import io.moonpool.protocol.wire.Containers;
import io.moonpool.protocol.wire.Scalars;
import java.util.List;
import java.util.Map;

/** The calls about objects. */
public final class ObjectCalls {
  private static final Codec<List<Replica>> REPLICAS = Containers.list(MooncakeTypes.REPLICA);

  private static final Codec<ObjectMessages.Key> KEY =
      struct(
          field(Containers.BYTES, ObjectMessages.Key::key),
          text(ObjectMessages.Key::tenant),
          ObjectMessages.Key::new);

  private static final Codec<ObjectMessages.Keys> KEYS =
      struct(
          field(Containers.KEYS, ObjectMessages.Keys::keys),
          text(ObjectMessages.Keys::tenant),
          ObjectMessages.Keys::new);

  private static final Codec<ObjectMessages.Start> START =
      struct(
          uuid(ObjectMessages.Start::client),
          field(Containers.BYTES, ObjectMessages.Start::key),
          u64(ObjectMessages.Start::size),
          field(MooncakeTypes.WRITE_CONFIG, ObjectMessages.Start::config),
          text(ObjectMessages.Start::tenant),
          ObjectMessages.Start::new);

  private static final Codec<ObjectMessages.BatchStart> BATCH_START =
      struct(
          uuid(ObjectMessages.BatchStart::client),
          field(Containers.KEYS, ObjectMessages.BatchStart::keys),
          field(Containers.longs(Scalars.U64), ObjectMessages.BatchStart::sizes),
          field(MooncakeTypes.WRITE_CONFIG, ObjectMessages.BatchStart::config),
          text(ObjectMessages.BatchStart::tenant),
          ObjectMessages.BatchStart::new);

  private static final Codec<ObjectMessages.End> END =
      struct(
          uuid(ObjectMessages.End::client),
          field(MooncakeTypes.WRITTEN, ObjectMessages.End::object),
          i32(ObjectMessages.End::replicaType),
          text(ObjectMessages.End::tenant),
          ObjectMessages.End::new);

  private static final Codec<ObjectMessages.Revoke> REVOKE =
      struct(
          uuid(ObjectMessages.Revoke::client),
          field(Containers.BYTES, ObjectMessages.Revoke::key),
          i32(ObjectMessages.Revoke::replicaType),
          text(ObjectMessages.Revoke::tenant),
          ObjectMessages.Revoke::new);

  private static final Codec<ObjectMessages.Remove> REMOVE_ONE =
      struct(
          field(Containers.BYTES, ObjectMessages.Remove::key),
          flag(ObjectMessages.Remove::force),
          text(ObjectMessages.Remove::tenant),
          ObjectMessages.Remove::new);

  /** Tells whether an object can be read, and leases it. */
  public static final Call<ObjectMessages.Key, Boolean> EXIST_KEY =
      one("ExistKey", KEY, Scalars.BOOL);

  /** Tells which objects can be read, and leases those. */
  public static final Call<ObjectMessages.Keys, List<Outcome<Boolean>>> BATCH_EXIST_KEY =
      each("BatchExistKey", KEYS, Scalars.BOOL);

  /** Locates what matches, and leases it; keys are texts. */
  public static final Call<ObjectMessages.Key, Map<String, List<Replica>>>
      GET_REPLICA_LIST_BY_REGEX =
          one("GetReplicaListByRegex", KEY, Containers.map(Containers.TEXT, REPLICAS));

  /** Locates an object, and leases it. */
  public static final Call<ObjectMessages.Key, ReplicaList> GET_REPLICA_LIST =
      one("GetReplicaList", KEY, MooncakeTypes.REPLICA_LIST);

  /** Locates objects, and leases them. */
  public static final Call<ObjectMessages.Keys, List<Outcome<ReplicaList>>> BATCH_GET_REPLICA_LIST =
      each("BatchGetReplicaList", KEYS, MooncakeTypes.REPLICA_LIST);

  /** Starts to put an object. */
  public static final Call<ObjectMessages.Start, List<Replica>> PUT_START =
      one("PutStart", START, REPLICAS);

  /** Makes an object visible. */
  public static final Call<ObjectMessages.End, Void> PUT_END = one("PutEnd", END, Scalars.UNIT);

  /** Gives up a put. */
  public static final Call<ObjectMessages.Revoke, Void> PUT_REVOKE =
      one("PutRevoke", REVOKE, Scalars.UNIT);

  /** Starts to put objects. */
  public static final Call<ObjectMessages.BatchStart, List<Outcome<List<Replica>>>>
      BATCH_PUT_START = each("BatchPutStart", BATCH_START, REPLICAS);

  /** Makes objects visible. */
  public static final Call<ObjectMessages.BatchEnd, List<Outcome<Void>>> BATCH_PUT_END =
      each(
          "BatchPutEnd",
          struct(
              uuid(ObjectMessages.BatchEnd::client),
              field(Containers.list(MooncakeTypes.WRITTEN), ObjectMessages.BatchEnd::objects),
              i32(ObjectMessages.BatchEnd::replicaType),
              text(ObjectMessages.BatchEnd::tenant),
              ObjectMessages.BatchEnd::new),
          Scalars.UNIT);

  /** Gives up puts. */
  public static final Call<ObjectMessages.BatchRevoke, List<Outcome<Void>>> BATCH_PUT_REVOKE =
      each(
          "BatchPutRevoke",
          struct(
              uuid(ObjectMessages.BatchRevoke::client),
              field(Containers.KEYS, ObjectMessages.BatchRevoke::keys),
              i32(ObjectMessages.BatchRevoke::replicaType),
              text(ObjectMessages.BatchRevoke::tenant),
              ObjectMessages.BatchRevoke::new),
          Scalars.UNIT);

  /** Starts to upsert an object. */
  public static final Call<ObjectMessages.Start, List<Replica>> UPSERT_START =
      one("UpsertStart", START, REPLICAS);

  /** Makes an object visible. */
  public static final Call<ObjectMessages.End, Void> UPSERT_END =
      one("UpsertEnd", END, Scalars.UNIT);

  /** Gives up an upsert. */
  public static final Call<ObjectMessages.Revoke, Void> UPSERT_REVOKE =
      one("UpsertRevoke", REVOKE, Scalars.UNIT);

  /** Starts to upsert objects. */
  public static final Call<ObjectMessages.BatchStart, List<Outcome<List<Replica>>>>
      BATCH_UPSERT_START = each("BatchUpsertStart", BATCH_START, REPLICAS);

  /** Makes objects visible. */
  public static final Call<ObjectMessages.BatchUpsertEnd, List<Outcome<Void>>> BATCH_UPSERT_END =
      each(
          "BatchUpsertEnd",
          struct(
              uuid(ObjectMessages.BatchUpsertEnd::client),
              field(Containers.list(MooncakeTypes.WRITTEN), ObjectMessages.BatchUpsertEnd::objects),
              text(ObjectMessages.BatchUpsertEnd::tenant),
              ObjectMessages.BatchUpsertEnd::new),
          Scalars.UNIT);

  /** Gives up upserts. */
  public static final Call<ObjectMessages.BatchUpsertRevoke, List<Outcome<Void>>>
      BATCH_UPSERT_REVOKE =
          each(
              "BatchUpsertRevoke",
              struct(
                  uuid(ObjectMessages.BatchUpsertRevoke::client),
                  field(Containers.KEYS, ObjectMessages.BatchUpsertRevoke::keys),
                  text(ObjectMessages.BatchUpsertRevoke::tenant),
                  ObjectMessages.BatchUpsertRevoke::new),
              Scalars.UNIT);

  /** Removes an object. */
  public static final Call<ObjectMessages.Remove, Void> REMOVE =
      one("Remove", REMOVE_ONE, Scalars.UNIT);

  /** Removes what matches; answers how many. */
  public static final Call<ObjectMessages.Remove, Long> REMOVE_BY_REGEX =
      one("RemoveByRegex", REMOVE_ONE, Scalars.I64);

  /** Removes everything; answers how many. */
  public static final Call<ObjectMessages.RemoveAll, Long> REMOVE_ALL =
      plain(
          "RemoveAll",
          struct(
              flag(ObjectMessages.RemoveAll::force),
              text(ObjectMessages.RemoveAll::tenant),
              ObjectMessages.RemoveAll::new),
          Scalars.I64);

  /** Removes objects. */
  public static final Call<ObjectMessages.BatchRemove, List<Outcome<Void>>> BATCH_REMOVE =
      each(
          "BatchRemove",
          struct(
              field(Containers.KEYS, ObjectMessages.BatchRemove::keys),
              flag(ObjectMessages.BatchRemove::force),
              text(ObjectMessages.BatchRemove::tenant),
              ObjectMessages.BatchRemove::new),
          Scalars.UNIT);

  /** Takes a writer's objects off a segment; answers which. */
  public static final Call<ObjectMessages.ReplicaClear, List<String>> BATCH_REPLICA_CLEAR =
      one(
          "BatchReplicaClear",
          struct(
              field(Containers.KEYS, ObjectMessages.ReplicaClear::keys),
              uuid(ObjectMessages.ReplicaClear::client),
              text(ObjectMessages.ReplicaClear::segment),
              ObjectMessages.ReplicaClear::new),
          Containers.list(Containers.TEXT));

  private static final List<Call<?, ?>> ALL =
      List.of(
          EXIST_KEY,
          BATCH_EXIST_KEY,
          GET_REPLICA_LIST_BY_REGEX,
          GET_REPLICA_LIST,
          BATCH_GET_REPLICA_LIST,
          PUT_START,
          PUT_END,
          PUT_REVOKE,
          BATCH_PUT_START,
          BATCH_PUT_END,
          BATCH_PUT_REVOKE,
          UPSERT_START,
          UPSERT_END,
          UPSERT_REVOKE,
          BATCH_UPSERT_START,
          BATCH_UPSERT_END,
          BATCH_UPSERT_REVOKE,
          REMOVE,
          REMOVE_BY_REGEX,
          REMOVE_ALL,
          BATCH_REMOVE,
          BATCH_REPLICA_CLEAR);

  private ObjectCalls() {}

  /** All of them. */
  static List<Call<?, ?>> all() {
    return ALL;
  }
}
