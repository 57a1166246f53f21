package io.moonpool.transfer.util;

/** A violation: the package's name does not say what it is for. */
public final class Anything {}
