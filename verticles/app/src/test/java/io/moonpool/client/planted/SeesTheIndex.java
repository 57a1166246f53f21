package io.moonpool.client.planted;

import io.moonpool.core.planted.AsksTheClock;

/** A violation: clients do not ship the index. */
public record SeesTheIndex(AsksTheClock index) {}
