package io.moonpool.model;

/** Whose calls a client speaks: that decides which memory it can write and read. */
public enum ClientProtocol {
  /** Moonpool's own. */
  MOONPOOL,
  /** That of Mooncake's C++ clients. */
  MOONCAKE
}
