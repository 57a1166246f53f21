package io.moonpool.app.demo;

import java.util.List;

/**
 * What a demo does.
 *
 * @param objects what is stored; not empty
 * @param nodes how many nodes lend memory, at least 2
 * @param replicas how many copies of each object, at most one a node
 * @param lanes how many objects are under way at once
 */
public record DemoOptions(List<DemoObject> objects, int nodes, int replicas, int lanes) {
  /** Copies the list. */
  public DemoOptions {
    objects = List.copyOf(objects);
  }

  /** What the objects add up to. */
  public long totalBytes() {
    return objects.stream().mapToLong(DemoObject::size).sum();
  }

  /** The largest object. */
  public long largestBytes() {
    return objects.stream().mapToLong(DemoObject::size).max().orElse(0);
  }
}
