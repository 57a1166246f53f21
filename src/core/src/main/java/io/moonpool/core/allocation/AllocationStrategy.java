package io.moonpool.core.allocation;

/** In which order segments are tried for a new object, after the preferred ones. */
public enum AllocationStrategy {
  /** From a random one on. */
  RANDOM("random"),
  /** The emptiest of a random sample first. */
  FREE_RATIO_FIRST("free_ratio_first"),
  /** Those of the writer's host first, then those of the hosts after it. */
  LOCAL_FIRST("local_first");

  private final String configName;

  AllocationStrategy(String configName) {
    this.configName = configName;
  }

  /** Its name in the configuration. */
  public String configName() {
    return configName;
  }

  /**
   * The strategy with that name.
   *
   * @throws IllegalArgumentException when there is none; the message lists the names
   */
  public static AllocationStrategy ofConfigName(String name) {
    for (AllocationStrategy strategy : values()) {
      if (strategy.configName.equals(name)) {
        return strategy;
      }
    }
    throw new IllegalArgumentException(
        "allocation_strategy must be random, free_ratio_first or local_first, not " + name);
  }
}
