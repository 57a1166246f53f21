package io.moonpool.protocol.planted;

import io.moonpool.master.MasterConfig;

/** A violation: libraries know nothing of what is deployed. */
public record DependsOnTheMaster(MasterConfig config) {}
