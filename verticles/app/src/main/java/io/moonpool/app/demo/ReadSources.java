package io.moonpool.app.demo;

/**
 * Where one phase read from.
 *
 * @param placement where the objects were when it began
 * @param bytesFromMemory bytes that came from memory
 * @param bytesFromDisk bytes that came from disks
 */
record ReadSources(Placement placement, long bytesFromMemory, long bytesFromDisk) {}
