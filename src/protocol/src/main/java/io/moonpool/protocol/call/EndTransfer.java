package io.moonpool.protocol.call;

import java.util.UUID;

/**
 * Ends a copy or move that a client has started: its targets have all bytes, or it is given up.
 *
 * @param client who started it
 * @param tenant empty for the default one
 * @param key its bytes. Not copied: do not write to it.
 * @param version the object's when it was started
 */
public record EndTransfer(UUID client, String tenant, byte[] key, long version) {}
