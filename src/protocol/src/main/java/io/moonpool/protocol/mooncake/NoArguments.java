package io.moonpool.protocol.mooncake;

/** The arguments of calls that have none. */
public enum NoArguments {
  /** None. */
  NONE
}
