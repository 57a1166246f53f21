package io.moonpool.master.metadata.planted;

import io.moonpool.master.segment.planted.OwnedState;

/** No violation: a proxy and a message. */
public record UsesTheProxy(OwnedState.OwnedStateProxy proxy, OwnedState.Changed message) {}
