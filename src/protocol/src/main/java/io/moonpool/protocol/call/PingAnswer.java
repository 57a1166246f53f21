package io.moonpool.protocol.call;

import io.moonpool.protocol.heartbeat.PingStatus;

/**
 * The answer to a {@link Ping}.
 *
 * @param sequence of the ping
 * @param status how the master sees the node, and what that has to do
 * @param masterEpoch of the start of the master; as in {@link HelloAnswer}
 * @param viewVersion differs from that of an earlier answer of the same start when a node came or
 *     went in between
 */
public record PingAnswer(long sequence, PingStatus status, long masterEpoch, int viewVersion) {}
