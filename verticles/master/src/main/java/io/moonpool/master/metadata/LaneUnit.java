package io.moonpool.master.metadata;

/**
 * A unit that was started. It stays with who took it until its transfer is ended with success, or
 * {@link DrainProxy#again} or {@link DrainProxy#fail} is called for it.
 *
 * @param transfer a move
 */
public record LaneUnit(UnitRef unit, StartedTransfer transfer) {}
