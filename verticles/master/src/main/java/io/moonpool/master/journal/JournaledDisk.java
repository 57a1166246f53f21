package io.moonpool.master.journal;

import java.util.UUID;

/**
 * What the journal knows of a disk.
 *
 * @param number never used for another disk
 * @param segmentId the id that the disk itself holds
 * @param nodeId of the node that had it last
 * @param name for people
 * @param mounted whether it is mounted now
 * @param absentSinceMillis by the wall clock, when it is not mounted
 * @param voided absent, and everything on it is dead
 * @param deadBelow records with a lower version on it are dead; 0 for none
 */
public record JournaledDisk(
    int number,
    UUID segmentId,
    UUID nodeId,
    String name,
    boolean mounted,
    long absentSinceMillis,
    boolean voided,
    long deadBelow) {}
