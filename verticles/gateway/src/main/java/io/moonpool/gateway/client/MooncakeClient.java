package io.moonpool.gateway.client;

import io.moonpool.gateway.disk.MooncakeDisk;
import io.moonpool.master.heartbeat.KnownClient;
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
  private final KnownClient known;
  private volatile @Nullable MooncakeDisk disk;

  MooncakeClient(UUID id, long incarnation, KnownClient known) {
    this.id = id;
    this.incarnation = incarnation;
    this.known = known;
  }

  /** Random per client process; the node's id and its start id. */
  public UUID id() {
    return id;
  }

  /** Its incarnation at this master. */
  public long incarnation() {
    return incarnation;
  }

  /** How its pings find it. */
  KnownClient known() {
    return known;
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
    known.ready();
  }
}
