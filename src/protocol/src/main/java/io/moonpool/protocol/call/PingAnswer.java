package io.moonpool.protocol.call;

import io.moonpool.protocol.heartbeat.PingStatus;

/**
 * The answer to a {@link Ping}.
 *
 * @param sequence of the ping
 * @param status what the node has to do
 */
public record PingAnswer(long sequence, PingStatus status) {}
