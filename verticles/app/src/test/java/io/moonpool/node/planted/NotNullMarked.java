package io.moonpool.node.planted;

/** A violation: its package has no package-info. */
public final class NotNullMarked {}
