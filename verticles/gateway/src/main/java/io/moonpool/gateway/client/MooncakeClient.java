package io.moonpool.gateway.client;

import io.moonpool.gateway.disk.MooncakeDisk;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A client of Mooncake as a node of this master, in one incarnation. Any thread.
 *
 * <p>It is ready when it has answered the wish to mount again that its first ping got.
 */
public final class MooncakeClient {
  private final UUID id;
  private final long incarnation;
  private final int slot;
  private volatile boolean ready;
  private volatile @Nullable MooncakeDisk disk;

  MooncakeClient(UUID id, long incarnation, int slot) {
    this.id = id;
    this.incarnation = incarnation;
    this.slot = slot;
  }

  /** Random per client process; the node's id and its start id. */
  public UUID id() {
    return id;
  }

  /** Its incarnation at this master. */
  public long incarnation() {
    return incarnation;
  }

  /** Its liveness slot. */
  int slot() {
    return slot;
  }

  boolean isReady() {
    return ready;
  }

  /** The disk that it has mounted, or null. */
  public @Nullable MooncakeDisk disk() {
    return disk;
  }

  /** It has mounted a disk, or taken it back. */
  public void disk(@Nullable MooncakeDisk mounted) {
    disk = mounted;
  }

  /** It has mounted again. */
  public void ready() {
    ready = true;
  }
}
