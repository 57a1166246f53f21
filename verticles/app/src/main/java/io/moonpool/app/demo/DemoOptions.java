package io.moonpool.app.demo;

import java.util.List;

/**
 * What a demo does.
 *
 * @param objects what is stored; not empty
 * @param nodes how many nodes lend memory, at least 2
 * @param replicas how many copies of each object, at most one a node
 * @param lanes how many objects are under way at once
 * @param transport by which all bytes move; empty: shared memory for the writer, sockets for the
 *     reader, as if that were on another machine
 */
public record DemoOptions(
    List<DemoObject> objects, int nodes, int replicas, int lanes, String transport) {
  /** Copies the list. */
  public DemoOptions {
    objects = List.copyOf(objects);
  }

  /** How the client that writes reaches the nodes. */
  public List<String> writersTransports() {
    return transport.isEmpty() ? List.of("shm", "tcp") : List.of(transport);
  }

  /** How the client that reads reaches the nodes. */
  public List<String> readersTransports() {
    return List.of(transport.isEmpty() ? "tcp" : transport);
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
