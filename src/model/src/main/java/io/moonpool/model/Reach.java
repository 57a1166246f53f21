package io.moonpool.model;

/** Which clients can write and read a segment. */
public enum Reach {
  /** Those of Moonpool: it is announced for Moonpool's transports. */
  MOONPOOL,
  /** Those of Mooncake: one of them lends it. */
  MOONCAKE,
  /** All: its node also serves Mooncake's transport. */
  BOTH;

  /** Whether clients of that protocol can. */
  public boolean by(ClientProtocol protocol) {
    return switch (this) {
      case MOONPOOL -> protocol == ClientProtocol.MOONPOOL;
      case MOONCAKE -> protocol == ClientProtocol.MOONCAKE;
      case BOTH -> true;
    };
  }

  /** The protocol that the owner of such a segment speaks. */
  public ClientProtocol owner() {
    return this == MOONCAKE ? ClientProtocol.MOONCAKE : ClientProtocol.MOONPOOL;
  }
}
