package io.moonpool.node.planted;

/** A violation: the name does not say what it is for. */
public final class KeyHelper {}
