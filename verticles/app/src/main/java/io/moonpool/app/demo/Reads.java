package io.moonpool.app.demo;

/**
 * A phase in which all objects were read.
 *
 * @param timings how fast
 * @param sources where from
 */
record Reads(Timings timings, ReadSources sources) {}
