package io.moonpool.bench.heartbeat;

/** What happens while the clients ping. */
public enum Scenario {
  /** More clients join at once, and half of all replicas are served again by that. */
  S1("join storm"),
  /** Half of the clients take their segments back at once. */
  S2("unmount storm"),
  /** One client dies. */
  S3("a client dies"),
  /** Everything at once, and the join storm. */
  S4("everything");

  private final String title;

  Scenario(String title) {
    this.title = title;
  }

  /** In words. */
  public String title() {
    return title;
  }
}
