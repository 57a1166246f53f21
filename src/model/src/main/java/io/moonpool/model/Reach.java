package io.moonpool.model;

/** Which clients can write and read a segment. */
public enum Reach {
  /** Those of Moonpool: it is announced for Moonpool's transports. */
  MOONPOOL,
  /** Those of Mooncake: one of them lends it, by a transport that only they have. */
  MOONCAKE,
  /** All: one of Mooncake's clients lends it, by {@code tcp}, which Moonpool's have, too. */
  MOONCAKE_TCP,
  /** All: its node also serves Mooncake's transport. */
  BOTH;

  /** Whether clients of that protocol can. */
  public boolean by(ClientProtocol protocol) {
    return switch (this) {
      case MOONPOOL -> protocol == ClientProtocol.MOONPOOL;
      case MOONCAKE -> protocol == ClientProtocol.MOONCAKE;
      case BOTH, MOONCAKE_TCP -> true;
    };
  }

  /** The protocol that the owner of such a segment speaks. */
  public ClientProtocol owner() {
    return switch (this) {
      case MOONCAKE, MOONCAKE_TCP -> ClientProtocol.MOONCAKE;
      case MOONPOOL, BOTH -> ClientProtocol.MOONPOOL;
    };
  }
}
