package io.moonpool.master;

/**
 * The ports that a started master listens on.
 *
 * @param rpc frames
 * @param heartbeat pings only
 * @param grpc 0 while gRPC is not served
 * @param http 0 while HTTP is not served
 */
public record MasterPorts(int rpc, int heartbeat, int grpc, int http) {}
