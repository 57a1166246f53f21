package io.moonpool.master;

import io.moonpool.master.drain.DrainOperations;
import io.vertx.core.Vertx;

/**
 * What an interface of a running master works with.
 *
 * @param vertx the master's; contexts that it makes never run on the heartbeat loop
 * @param config as started
 * @param operations callable from any context of {@code vertx}
 * @param drains callable from any context of {@code vertx}
 * @param stats callable from any thread
 */
public record MasterContext(
    Vertx vertx,
    MasterConfig config,
    MasterOperations operations,
    DrainOperations drains,
    MasterStats stats) {}
