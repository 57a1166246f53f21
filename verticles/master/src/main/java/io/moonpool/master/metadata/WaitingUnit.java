package io.moonpool.master.metadata;

import io.moonpool.core.index.WaitReason;

/** A unit that is not under way, and why. */
public record WaitingUnit(UnitRef unit, WaitReason reason) {}
