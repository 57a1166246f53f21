package io.moonpool.client;

import io.moonpool.model.Tenants;
import java.util.List;

/**
 * How a client reaches a pool. Immutable; start from {@link #DEFAULT} or {@link #of}.
 *
 * @param masterHost the master's host name or address
 * @param masterPort the master's frame port
 * @param tenant whose objects this client sees; empty for the default tenant. Ignored by a master
 *     that has no tenants
 * @param name for logs and listings on the master
 * @param hostId the physical host that this process runs on, for local-first placement; empty when
 *     unknown
 * @param transports the transports to reach segments with, best first; a segment is reached through
 *     the first that its node offers too and that works from here
 * @param connectTimeoutMillis how long connecting to the master may take
 * @param requestTimeoutMillis how long the master may take to answer a call, after which the call
 *     fails with RPC_TIMEOUT
 * @param windowBytes how many bytes of values may be under way at once; operations beyond wait for
 *     their turn
 * @param locationCacheEntries how many locations are remembered after a get; 0 for none. A get of a
 *     remembered object whose lease still runs needs no answer of the master, and may return a
 *     value that was replaced or removed since by another client: at most one lease time ago. The
 *     client's own writes are always seen
 * @param tlsCa a PEM file with the certificates to trust the master (and nodes) by; empty for no
 *     TLS
 * @param dataTls whether data connections to nodes use TLS; all nodes and clients of a pool alike
 */
public record ClientOptions(
    String masterHost,
    int masterPort,
    String tenant,
    String name,
    String hostId,
    List<String> transports,
    long connectTimeoutMillis,
    long requestTimeoutMillis,
    long windowBytes,
    int locationCacheEntries,
    String tlsCa,
    boolean dataTls) {

  /**
   * A master on this host at its default port; shared memory, else RDMA where there is a device,
   * else TCP; no location cache.
   */
  public static final ClientOptions DEFAULT =
      new ClientOptions(
          "127.0.0.1",
          50_051,
          "",
          "moonpool-client",
          "",
          List.of("shm", "ucx", "tcp"),
          5_000,
          10_000,
          256L << 20,
          0,
          "",
          false);

  /**
   * Copies the list.
   *
   * @throws IllegalArgumentException when a setting cannot work; the message says which and why
   */
  public ClientOptions {
    transports = List.copyOf(transports);
    check(!masterHost.isBlank(), "masterHost must name a host");
    check(masterPort > 0 && masterPort < 65_536, "masterPort must be 1 to 65535");
    check(
        tenant.isEmpty() || Tenants.isValid(tenant),
        "tenant must not start with '_' nor hold control characters");
    check(!transports.isEmpty(), "transports must name at least one of shm, tcp, ucx");
    check(connectTimeoutMillis > 0, "connectTimeoutMillis must be positive");
    check(requestTimeoutMillis > 0, "requestTimeoutMillis must be positive");
    check(windowBytes > 0, "windowBytes must be positive");
    check(locationCacheEntries >= 0, "locationCacheEntries must not be negative");
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  /** The defaults, with that master. */
  public static ClientOptions of(String masterHost, int masterPort) {
    return DEFAULT.but().master(masterHost, masterPort).build();
  }

  /** A builder that starts from these options. */
  public Builder but() {
    return new Builder(this);
  }

  /** Options in the making. Not thread safe. */
  public static final class Builder {
    private String masterHost;
    private int masterPort;
    private String tenant;
    private String name;
    private String hostId;
    private List<String> transports;
    private long connectTimeoutMillis;
    private long requestTimeoutMillis;
    private long windowBytes;
    private int locationCacheEntries;
    private String tlsCa;
    private boolean dataTls;

    private Builder(ClientOptions from) {
      masterHost = from.masterHost;
      masterPort = from.masterPort;
      tenant = from.tenant;
      name = from.name;
      hostId = from.hostId;
      transports = from.transports;
      connectTimeoutMillis = from.connectTimeoutMillis;
      requestTimeoutMillis = from.requestTimeoutMillis;
      windowBytes = from.windowBytes;
      locationCacheEntries = from.locationCacheEntries;
      tlsCa = from.tlsCa;
      dataTls = from.dataTls;
    }

    /** See {@link ClientOptions#masterHost}. */
    public Builder master(String host, int port) {
      masterHost = host;
      masterPort = port;
      return this;
    }

    /** See {@link ClientOptions#tenant}. */
    public Builder tenant(String newTenant) {
      tenant = newTenant;
      return this;
    }

    /** See {@link ClientOptions#name}. */
    public Builder name(String newName) {
      name = newName;
      return this;
    }

    /** See {@link ClientOptions#hostId}. */
    public Builder hostId(String newHostId) {
      hostId = newHostId;
      return this;
    }

    /** See {@link ClientOptions#transports}. */
    public Builder transports(List<String> bestFirst) {
      transports = bestFirst;
      return this;
    }

    /** See {@link ClientOptions#connectTimeoutMillis}. */
    public Builder connectTimeoutMillis(long millis) {
      connectTimeoutMillis = millis;
      return this;
    }

    /** See {@link ClientOptions#requestTimeoutMillis}. */
    public Builder requestTimeoutMillis(long millis) {
      requestTimeoutMillis = millis;
      return this;
    }

    /** See {@link ClientOptions#windowBytes}. */
    public Builder windowBytes(long bytes) {
      windowBytes = bytes;
      return this;
    }

    /** See {@link ClientOptions#locationCacheEntries}. */
    public Builder locationCacheEntries(int entries) {
      locationCacheEntries = entries;
      return this;
    }

    /** See {@link ClientOptions#tlsCa}. */
    public Builder tlsCa(String pemFile) {
      tlsCa = pemFile;
      return this;
    }

    /** See {@link ClientOptions#dataTls}. */
    public Builder dataTls(boolean use) {
      dataTls = use;
      return this;
    }

    /**
     * The options.
     *
     * @throws IllegalArgumentException when a setting cannot work; the message says which and why
     */
    public ClientOptions build() {
      return new ClientOptions(
          masterHost,
          masterPort,
          tenant,
          name,
          hostId,
          transports,
          connectTimeoutMillis,
          requestTimeoutMillis,
          windowBytes,
          locationCacheEntries,
          tlsCa,
          dataTls);
    }
  }
}
