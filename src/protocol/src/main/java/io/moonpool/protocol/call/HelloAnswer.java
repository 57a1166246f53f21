package io.moonpool.protocol.call;

/**
 * What a caller needs to know of a master.
 *
 * @param masterEpoch new at each start of the master; greater than that of earlier ones
 * @param leaseTtlMillis how long a read lease lasts, counted by the reader from before its request
 * @param writeGrantMillis how long a writer may write after its start call, counted from before its
 *     request
 * @param heartbeatPort where pings go; 0 when pings must use the main port
 */
public record HelloAnswer(
    int protocolVersion,
    String serverVersion,
    String clusterId,
    long masterEpoch,
    long leaseTtlMillis,
    long writeGrantMillis,
    int heartbeatPort) {}
