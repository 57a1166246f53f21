package io.moonpool.master;

import io.moonpool.master.disk.DiskOperations;
import io.moonpool.master.drain.DrainOperations;
import io.moonpool.master.drain.TaskOperations;
import io.moonpool.master.heartbeat.ClientsById;
import io.moonpool.master.heartbeat.PingRecorder;
import io.moonpool.master.monitor.LivenessOperations;
import io.moonpool.master.segment.SegmentDirectory;
import io.vertx.core.Vertx;

/**
 * What an interface of a running master works with.
 *
 * @param vertx the master's; contexts that it makes never run on the heartbeat loop
 * @param config as started
 * @param operations callable from any context of {@code vertx}
 * @param drains callable from any context of {@code vertx}
 * @param disks callable from any context of {@code vertx}
 * @param tasks callable from any context of {@code vertx}
 * @param segments what is mounted; any thread
 * @param liveness callable from any context of {@code vertx}
 * @param pings records pings; callable from any thread
 * @param clientsById whose pings name no slot; any thread
 * @param stats callable from any thread
 */
public record MasterContext(
    Vertx vertx,
    MasterConfig config,
    MasterOperations operations,
    DrainOperations drains,
    DiskOperations disks,
    TaskOperations tasks,
    SegmentDirectory segments,
    LivenessOperations liveness,
    PingRecorder pings,
    ClientsById clientsById,
    MasterStats stats) {}
