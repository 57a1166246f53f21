package io.moonpool.node.planted;

import java.util.logging.Logger;

/** A violation: only slf4j logs. */
public record LogsElsewhere(Logger log) {}
