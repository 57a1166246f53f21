package io.moonpool.master.metadata.planted;

import io.moonpool.master.segment.planted.OwnedState;

/** A violation: another verticle's state. */
public record ReachesAroundTheProxy(OwnedState state) {}
