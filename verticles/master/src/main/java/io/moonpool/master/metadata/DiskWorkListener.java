package io.moonpool.master.metadata;

/** Hears that there is something for the node of a disk to take, after there was nothing. */
@FunctionalInterface
public interface DiskWorkListener {
  /** Called on a metadata loop: hand it on, and return at once. */
  void workFor(DiskMount disk);
}
