package io.moonpool.master;

import io.moonpool.model.ClientProtocol;
import io.moonpool.model.Tenants;
import io.moonpool.model.config.Setting;
import io.moonpool.model.config.SettingInfo;
import io.moonpool.model.config.SettingsReader;
import io.moonpool.model.config.Unprefixed;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Everything that can be configured about a master: validated when it is built, immutable, printed
 * at start. The {@link Setting} beside each component is its documentation; {@link #settings()}
 * lists them for the configuration reference, and {@link #of} reads them from a file's map.
 *
 * <p>Durations are in the unit that the name says. A port of 0 means any free port, printed at
 * start and returned by {@link Master#ports()}.
 *
 * <p>Longer than most classes: each setting has its documentation, its check, its default and its
 * setter here, and nowhere else.
 */
public record MasterConfig(
    @Setting("Address that the main and the heartbeat port listen on; an IP literal.")
        String rpcHost,
    @Setting("Port of the hot calls (frames).") int rpcPort,
    @Setting("Port of gRPC.") int grpcPort,
    @Setting("Port that takes pings and nothing else.") int heartbeatPort,
    @Setting("Port of REST, metrics and health.") int httpPort,
    @Setting(
            "Address that gRPC and HTTP listen on. Empty: loopback without admin_token, rpc_host"
                + " with one.")
        String adminHost,
    @Setting("Name of the cluster: 1 to 128 letters, digits, '_', '-' or '.'.") String clusterId,
    @Setting("Event loops that own the index. 0: one less than the cores, at least 1.")
        int metadataLoops,
    @Setting("Commands that may wait for one event loop; more are refused, not queued.")
        int loopQueueLimit,
    @Setting("Largest request or answer frame, in bytes.") int maxFrameBytes,
    @Setting("Most keys in one call; what an event loop decodes and encodes at once.")
        int maxBatchKeys,
    @Setting(
            "Most connections to each port at one time; more are closed at once and counted. On the"
                + " heartbeat port those that never brought a ping of a node give way first.")
        int maxConnections,
    @Setting("How long a read lease lasts.") long leaseTtlMillis,
    @Setting(
            "How long a writer may write after its start call; an unfinished write older than that"
                + " may be displaced.")
        long writeGrantMillis,
    @Setting("How far clocks and the network may be apart before freed space is used again.")
        long clockSkewMillis,
    @Setting(
            "How long a put that finds no space waits for eviction before it fails; 0 fails at once."
                + " With disks, what gives way may have to be written first: time for one bucket.")
        long putSpaceWaitMillis,
    @Setting("Eviction starts when this share of the memory is allocated, above 0, at most 1.")
        double evictionHighWatermark,
    @Setting("Share of the memory that one eviction frees, 0 to 1.") double evictionRatio,
    @Setting("Whether soft-pinned objects go when nothing else is left to evict.")
        boolean allowEvictSoftPinned,
    @Setting("Soft-pin time of writes that give none.") long defaultSoftPinTtlMillis,
    @Setting("Longest soft-pin time that a write may ask for.") long maxSoftPinTtlMillis,
    @Setting("Where objects go: random, free_ratio_first or local_first.")
        String allocationStrategy,
    @Setting("A node not heard from for so long is SUSPECTED: not served, nothing freed.")
        long clientActiveTtlMillis,
    @Setting("A node SUSPECTED for so long is OFFLINE: its segments are unmounted.")
        long clientSuspicionTtlMillis,
    @Setting(
            "Scheduling slice that the heartbeat thread asks the kernel for, in microseconds; 0"
                + " leaves it.")
        int heartbeatSliceMicros,
    @Setting(
            "Nice value of the heartbeat thread, -20 to 19; negative ones need a privilege; 0"
                + " leaves it.")
        int heartbeatNice,
    @Setting("Whether the tenant of a request counts; off: everything is in 'default'.")
        boolean multiTenants,
    @Setting("Tenants that may write when multi_tenants is on.") List<String> tenants,
    @Setting(value = "Token that admin interfaces ask for; empty: none.", secret = true)
        String adminToken,
    @Setting("PEM file of the server certificate; empty: no TLS.") String tlsCert,
    @Setting("PEM file of its private key; goes with tls_cert.") String tlsKey,
    @Setting(
            "Whether everything is done once on the side when the master has started, so that later"
                + " first requests are no slower than others; some seconds of CPU time.")
        boolean rehearsal,
    @Setting("Whether /metrics is open to callers without admin_token.") boolean openMetrics,
    @Setting(
            "Whether the event bus is clustered, so that services in other processes reach its public"
                + " addresses; it knows no token.")
        boolean clusterBus,
    @Setting("Address that the clustered event bus listens on; keep it in a trusted network.")
        String clusterBusHost,
    @Setting("Port where members of the cluster find each other; the next free ones are tried too.")
        int clusterBusPort,
    @Setting("Members to join, as host or host:port; empty: none but cluster_bus_host itself.")
        List<String> clusterBusMembers,
    OffloadConfig offload,
    PromotionConfig promotion,
    @Setting(
            "Directory of the journal, which keeps removed objects from coming back from disks after"
                + " a restart of the master; one process at a time. Empty: none is kept.")
        String dataDir,
    @Setting("How long a disk may be absent before the master gives up what it holds.")
        long diskAbsenceTtlMillis,
    @Setting(
            "How many removals are remembered for absent disks in all; with more, the disk that is"
                + " absent the longest is given up.")
        long diskFloorLimit,
    @Setting(
            "How many removals by pattern are remembered for absent disks, each of which is compared"
                + " with every object that these bring back; with more, the disk that is absent the"
                + " longest is given up.")
        long diskPatternLimit,
    DrainConfig drain,
    @Unprefixed TaskConfig tasks,
    BreakerConfig offlineBreaker,
    @Unprefixed JoinConfig join,
    MooncakeConfig mooncake) {

  /** A record that is reported is compared with all of them in one go, about a millisecond. */
  private static final int MAX_DISK_PATTERNS = 2_000;

  private static final Pattern CLUSTER_ID = Pattern.compile("[0-9A-Za-z_.-]{1,128}");
  private static final List<String> STRATEGIES =
      List.of("random", "free_ratio_first", "local_first");

  /** The defaults. */
  public static final MasterConfig DEFAULT = builder().build();

  /**
   * Validates.
   *
   * @throws IllegalArgumentException names the setting, what it may be, and what it was
   */
  public MasterConfig {
    tenants = List.copyOf(tenants);
    clusterBusMembers = List.copyOf(clusterBusMembers);
    check(!rpcHost.isEmpty(), "rpc_host", "an IP address", rpcHost);
    port("rpc_port", rpcPort);
    port("grpc_port", grpcPort);
    port("heartbeat_port", heartbeatPort);
    port("http_port", httpPort);
    check(
        CLUSTER_ID.matcher(clusterId).matches(),
        "cluster_id",
        "1 to 128 letters, digits, '_', '-' or '.'",
        clusterId);
    check(metadataLoops >= 0 && metadataLoops <= 256, "metadata_loops", "0 to 256", metadataLoops);
    check(loopQueueLimit >= 16, "loop_queue_limit", "at least 16", loopQueueLimit);
    check(
        maxFrameBytes >= 1 << 16 && maxFrameBytes <= 1 << 30,
        "max_frame_bytes",
        "64 KiB to 1 GiB",
        maxFrameBytes);
    check(
        maxBatchKeys >= 1 && maxBatchKeys <= 1_000_000,
        "max_batch_keys",
        "1 to 1000000",
        maxBatchKeys);
    check(
        maxConnections >= 1 && maxConnections <= 1_000_000,
        "max_connections",
        "1 to 1000000",
        maxConnections);
    positive("lease_ttl_ms", leaseTtlMillis);
    positive("write_grant_ms", writeGrantMillis);
    check(clockSkewMillis >= 0, "clock_skew_ms", "0 or more", clockSkewMillis);
    check(
        putSpaceWaitMillis >= 0 && putSpaceWaitMillis <= 10_000,
        "put_space_wait_ms",
        "0 to 10000",
        putSpaceWaitMillis);
    check(
        evictionHighWatermark > 0 && evictionHighWatermark <= 1,
        "eviction_high_watermark",
        "above 0, at most 1",
        evictionHighWatermark);
    check(evictionRatio >= 0 && evictionRatio <= 1, "eviction_ratio", "0 to 1", evictionRatio);
    check(maxSoftPinTtlMillis >= 0, "max_soft_pin_ttl_ms", "0 or more", maxSoftPinTtlMillis);
    check(
        defaultSoftPinTtlMillis >= 0 && defaultSoftPinTtlMillis <= maxSoftPinTtlMillis,
        "default_soft_pin_ttl_ms",
        "0 to max_soft_pin_ttl_ms (" + maxSoftPinTtlMillis + ")",
        defaultSoftPinTtlMillis);
    check(
        STRATEGIES.contains(allocationStrategy),
        "allocation_strategy",
        "one of " + STRATEGIES,
        allocationStrategy);
    positive("client_active_ttl_ms", clientActiveTtlMillis);
    positive("client_suspicion_ttl_ms", clientSuspicionTtlMillis);
    // It counts who would go OFFLINE within the silence among those that are SUSPECTED by then.
    check(
        !offlineBreaker.enabled() || offlineBreaker.silenceMillis() <= clientSuspicionTtlMillis,
        "offline_breaker_silence_ms",
        "at most client_suspicion_ttl_ms (" + clientSuspicionTtlMillis + ")",
        offlineBreaker.silenceMillis());
    check(
        heartbeatSliceMicros == 0
            || (heartbeatSliceMicros >= 100 && heartbeatSliceMicros <= 100_000),
        "heartbeat_slice_us",
        "0, or 100 to 100000",
        heartbeatSliceMicros);
    check(
        heartbeatNice >= -20 && heartbeatNice <= 19, "heartbeat_nice", "-20 to 19", heartbeatNice);
    for (String tenant : tenants) {
      check(
          Tenants.isValid(tenant),
          "tenants",
          "names without control characters that do not start with '_'",
          tenant);
    }
    check(!clusterBusHost.isEmpty(), "cluster_bus_host", "an IP address", clusterBusHost);
    check(
        clusterBusPort >= 1 && clusterBusPort <= 65_535,
        "cluster_bus_port",
        "1 to 65535",
        clusterBusPort);
    positive("disk_absence_ttl_ms", diskAbsenceTtlMillis);
    check(diskFloorLimit >= 1, "disk_floor_limit", "at least 1", diskFloorLimit);
    check(
        diskPatternLimit >= 1 && diskPatternLimit <= MAX_DISK_PATTERNS,
        "disk_pattern_limit",
        "1 to " + MAX_DISK_PATTERNS,
        diskPatternLimit);
    check(
        tlsCert.isEmpty() == tlsKey.isEmpty(),
        "tls_cert",
        "set together with tls_key, or not at all",
        tlsCert);
  }

  private static void port(String name, int port) {
    check(port >= 0 && port <= 65_535, name, "0 to 65535", port);
  }

  private static void positive(String name, long value) {
    check(value > 0, name, "above 0", value);
  }

  private static void check(boolean holds, String name, String expected, Object was) {
    if (!holds) {
      throw new IllegalArgumentException(name + " must be " + expected + ", but is '" + was + "'");
    }
  }

  /** How long a client of some protocol may write after its start call. */
  public long writeGrantMillis(ClientProtocol writer) {
    return switch (writer) {
      case MOONPOOL -> writeGrantMillis;
      case MOONCAKE -> mooncake.writeGrantMillis();
    };
  }

  /** A builder that holds the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * The configuration that a file gives; what it does not name has its default.
   *
   * @param values by setting name; numbers, texts, booleans and lists, texts also for the others
   * @throws IllegalArgumentException for an unknown name or a value of another type
   */
  public static MasterConfig of(Map<String, ?> values) {
    return SettingsReader.read(MasterConfig.class, DEFAULT, values);
  }

  /** All settings, in the order of the reference. */
  public static List<SettingInfo> settings() {
    return SettingsReader.describe(MasterConfig.class, DEFAULT);
  }

  /** How many metadata loops there will be on a machine with that many cores. */
  public int metadataLoopsFor(int cores) {
    return metadataLoops > 0 ? metadataLoops : Math.max(1, cores - 1);
  }

  /** The address that gRPC and HTTP listen on. */
  public String effectiveAdminHost() {
    if (!adminHost.isEmpty()) {
      return adminHost;
    }
    return adminToken.isEmpty() ? "127.0.0.1" : rpcHost;
  }

  /** True when the ports speak TLS. */
  public boolean tls() {
    return !tlsCert.isEmpty();
  }

  /** One line a setting, secrets hidden; for the log at start. */
  @Override
  public String toString() {
    return SettingsReader.print(this);
  }

  /** Collects settings; not thread safe. Each method sets the component of its name. */
  public static final class Builder {
    private String rpcHost = "0.0.0.0";
    private int rpcPort = 50_051;
    private int grpcPort = 50_061;
    private int heartbeatPort = 50_062;
    private int httpPort = 9_003;
    private String adminHost = "";
    private String clusterId = "moonpool";
    private int metadataLoops;
    private int loopQueueLimit = 16_384;
    private int maxFrameBytes = 16 << 20;
    private int maxBatchKeys = 16_384;
    private int maxConnections = 10_000;
    private long leaseTtlMillis = 10_000;
    private long writeGrantMillis = 30_000;
    private long clockSkewMillis = 100;

    // A bucket of 256 MiB that waited for its linger time, at 150 MB/s: less would fail puts just
    // before there is room. Clients that may wait for longer try again by themselves.
    private long putSpaceWaitMillis = 2_000;
    private double evictionHighWatermark = 0.90;
    private double evictionRatio = 0.05;
    private boolean allowEvictSoftPinned = true;
    private long defaultSoftPinTtlMillis = 1_800_000;
    private long maxSoftPinTtlMillis = 86_400_000;
    private String allocationStrategy = "random";
    private long clientActiveTtlMillis = 10_000;
    private long clientSuspicionTtlMillis = 20_000;
    private int heartbeatSliceMicros = 100;
    private int heartbeatNice;
    private boolean multiTenants;
    private List<String> tenants = List.of();
    private String adminToken = "";
    private String tlsCert = "";
    private String tlsKey = "";
    private boolean rehearsal = true;
    private boolean openMetrics;
    private boolean clusterBus;
    private String clusterBusHost = "127.0.0.1";
    private int clusterBusPort = 5_701;
    private List<String> clusterBusMembers = List.of();

    private OffloadConfig offload = OffloadConfig.DEFAULT;
    private PromotionConfig promotion = PromotionConfig.DEFAULT;
    private String dataDir = "";
    private long diskAbsenceTtlMillis = 86_400_000;
    private long diskFloorLimit = 4_000_000;
    private long diskPatternLimit = 1_000;
    private DrainConfig drain = DrainConfig.DEFAULT;
    private TaskConfig tasks = TaskConfig.DEFAULT;
    private BreakerConfig offlineBreaker = BreakerConfig.DEFAULT;
    private JoinConfig join = JoinConfig.DEFAULT;
    private MooncakeConfig mooncake = MooncakeConfig.DEFAULT;

    private Builder() {}

    /** Any free port for all four, on loopback: for tests. */
    public Builder ephemeral() {
      return rpcHost("127.0.0.1").rpcPort(0).grpcPort(0).heartbeatPort(0).httpPort(0);
    }

    /** Sets rpcHost. */
    public Builder rpcHost(String rpcHost) {
      this.rpcHost = rpcHost;
      return this;
    }

    /** Sets rpcPort. */
    public Builder rpcPort(int rpcPort) {
      this.rpcPort = rpcPort;
      return this;
    }

    /** Sets grpcPort. */
    public Builder grpcPort(int grpcPort) {
      this.grpcPort = grpcPort;
      return this;
    }

    /** Sets heartbeatPort. */
    public Builder heartbeatPort(int heartbeatPort) {
      this.heartbeatPort = heartbeatPort;
      return this;
    }

    /** Sets httpPort. */
    public Builder httpPort(int httpPort) {
      this.httpPort = httpPort;
      return this;
    }

    /** Sets adminHost. */
    public Builder adminHost(String adminHost) {
      this.adminHost = adminHost;
      return this;
    }

    /** Sets clusterId. */
    public Builder clusterId(String clusterId) {
      this.clusterId = clusterId;
      return this;
    }

    /** Sets metadataLoops. */
    public Builder metadataLoops(int metadataLoops) {
      this.metadataLoops = metadataLoops;
      return this;
    }

    /** Sets loopQueueLimit. */
    public Builder loopQueueLimit(int loopQueueLimit) {
      this.loopQueueLimit = loopQueueLimit;
      return this;
    }

    /** Sets maxFrameBytes. */
    public Builder maxFrameBytes(int maxFrameBytes) {
      this.maxFrameBytes = maxFrameBytes;
      return this;
    }

    /** Sets maxBatchKeys. */
    public Builder maxBatchKeys(int maxBatchKeys) {
      this.maxBatchKeys = maxBatchKeys;
      return this;
    }

    /** Sets maxConnections. */
    public Builder maxConnections(int maxConnections) {
      this.maxConnections = maxConnections;
      return this;
    }

    /** Sets leaseTtlMillis. */
    public Builder leaseTtlMillis(long leaseTtlMillis) {
      this.leaseTtlMillis = leaseTtlMillis;
      return this;
    }

    /** Sets writeGrantMillis. */
    public Builder writeGrantMillis(long writeGrantMillis) {
      this.writeGrantMillis = writeGrantMillis;
      return this;
    }

    /** Sets clockSkewMillis. */
    public Builder clockSkewMillis(long clockSkewMillis) {
      this.clockSkewMillis = clockSkewMillis;
      return this;
    }

    /** Sets putSpaceWaitMillis. */
    public Builder putSpaceWaitMillis(long putSpaceWaitMillis) {
      this.putSpaceWaitMillis = putSpaceWaitMillis;
      return this;
    }

    /** Sets evictionHighWatermark. */
    public Builder evictionHighWatermark(double evictionHighWatermark) {
      this.evictionHighWatermark = evictionHighWatermark;
      return this;
    }

    /** Sets evictionRatio. */
    public Builder evictionRatio(double evictionRatio) {
      this.evictionRatio = evictionRatio;
      return this;
    }

    /** Sets allowEvictSoftPinned. */
    public Builder allowEvictSoftPinned(boolean allowEvictSoftPinned) {
      this.allowEvictSoftPinned = allowEvictSoftPinned;
      return this;
    }

    /** Sets defaultSoftPinTtlMillis. */
    public Builder defaultSoftPinTtlMillis(long defaultSoftPinTtlMillis) {
      this.defaultSoftPinTtlMillis = defaultSoftPinTtlMillis;
      return this;
    }

    /** Sets maxSoftPinTtlMillis. */
    public Builder maxSoftPinTtlMillis(long maxSoftPinTtlMillis) {
      this.maxSoftPinTtlMillis = maxSoftPinTtlMillis;
      return this;
    }

    /** Sets allocationStrategy. */
    public Builder allocationStrategy(String allocationStrategy) {
      this.allocationStrategy = allocationStrategy;
      return this;
    }

    /** Sets clientActiveTtlMillis. */
    public Builder clientActiveTtlMillis(long clientActiveTtlMillis) {
      this.clientActiveTtlMillis = clientActiveTtlMillis;
      return this;
    }

    /** Sets clientSuspicionTtlMillis. */
    public Builder clientSuspicionTtlMillis(long clientSuspicionTtlMillis) {
      this.clientSuspicionTtlMillis = clientSuspicionTtlMillis;
      return this;
    }

    /** Sets heartbeatSliceMicros. */
    public Builder heartbeatSliceMicros(int heartbeatSliceMicros) {
      this.heartbeatSliceMicros = heartbeatSliceMicros;
      return this;
    }

    /** Sets heartbeatNice. */
    public Builder heartbeatNice(int heartbeatNice) {
      this.heartbeatNice = heartbeatNice;
      return this;
    }

    /** Sets multiTenants. */
    public Builder multiTenants(boolean multiTenants) {
      this.multiTenants = multiTenants;
      return this;
    }

    /** Sets tenants. */
    public Builder tenants(List<String> tenants) {
      this.tenants = tenants;
      return this;
    }

    /** Sets adminToken. */
    public Builder adminToken(String adminToken) {
      this.adminToken = adminToken;
      return this;
    }

    /** Sets tlsCert. */
    public Builder tlsCert(String tlsCert) {
      this.tlsCert = tlsCert;
      return this;
    }

    /** Sets tlsKey. */
    public Builder tlsKey(String tlsKey) {
      this.tlsKey = tlsKey;
      return this;
    }

    /** Sets rehearsal. */
    public Builder rehearsal(boolean rehearsal) {
      this.rehearsal = rehearsal;
      return this;
    }

    /** Sets openMetrics. */
    public Builder openMetrics(boolean openMetrics) {
      this.openMetrics = openMetrics;
      return this;
    }

    /** Sets clusterBus. */
    public Builder clusterBus(boolean clusterBus) {
      this.clusterBus = clusterBus;
      return this;
    }

    /** Sets clusterBusHost. */
    public Builder clusterBusHost(String clusterBusHost) {
      this.clusterBusHost = clusterBusHost;
      return this;
    }

    /** Sets clusterBusPort. */
    public Builder clusterBusPort(int clusterBusPort) {
      this.clusterBusPort = clusterBusPort;
      return this;
    }

    /** Sets clusterBusMembers. */
    public Builder clusterBusMembers(List<String> clusterBusMembers) {
      this.clusterBusMembers = clusterBusMembers;
      return this;
    }

    /** Sets dataDir. */
    public Builder dataDir(String dataDir) {
      this.dataDir = dataDir;
      return this;
    }

    /** Sets diskAbsenceTtlMillis. */
    public Builder diskAbsenceTtlMillis(long diskAbsenceTtlMillis) {
      this.diskAbsenceTtlMillis = diskAbsenceTtlMillis;
      return this;
    }

    /** Sets diskFloorLimit. */
    public Builder diskFloorLimit(long diskFloorLimit) {
      this.diskFloorLimit = diskFloorLimit;
      return this;
    }

    /** Sets diskPatternLimit. */
    public Builder diskPatternLimit(long diskPatternLimit) {
      this.diskPatternLimit = diskPatternLimit;
      return this;
    }

    /** Sets drain. */
    public Builder drain(DrainConfig drain) {
      this.drain = drain;
      return this;
    }

    /** Sets tasks. */
    public Builder tasks(TaskConfig tasks) {
      this.tasks = tasks;
      return this;
    }

    /** Sets offlineBreaker. */
    public Builder offlineBreaker(BreakerConfig offlineBreaker) {
      this.offlineBreaker = offlineBreaker;
      return this;
    }

    /** Sets mooncake. */
    public Builder mooncake(MooncakeConfig mooncake) {
      this.mooncake = mooncake;
      return this;
    }

    /** Sets join. */
    public Builder join(JoinConfig join) {
      this.join = join;
      return this;
    }

    /** Sets offload. */
    public Builder offload(OffloadConfig offload) {
      this.offload = offload;
      return this;
    }

    /** Sets promotion. */
    public Builder promotion(PromotionConfig promotion) {
      this.promotion = promotion;
      return this;
    }

    /**
     * The configuration.
     *
     * @throws IllegalArgumentException names the setting, what it may be, and what it was
     */
    public MasterConfig build() {
      return new MasterConfig(
          rpcHost,
          rpcPort,
          grpcPort,
          heartbeatPort,
          httpPort,
          adminHost,
          clusterId,
          metadataLoops,
          loopQueueLimit,
          maxFrameBytes,
          maxBatchKeys,
          maxConnections,
          leaseTtlMillis,
          writeGrantMillis,
          clockSkewMillis,
          putSpaceWaitMillis,
          evictionHighWatermark,
          evictionRatio,
          allowEvictSoftPinned,
          defaultSoftPinTtlMillis,
          maxSoftPinTtlMillis,
          allocationStrategy,
          clientActiveTtlMillis,
          clientSuspicionTtlMillis,
          heartbeatSliceMicros,
          heartbeatNice,
          multiTenants,
          tenants,
          adminToken,
          tlsCert,
          tlsKey,
          rehearsal,
          openMetrics,
          clusterBus,
          clusterBusHost,
          clusterBusPort,
          clusterBusMembers,
          offload,
          promotion,
          dataDir,
          diskAbsenceTtlMillis,
          diskFloorLimit,
          diskPatternLimit,
          drain,
          tasks,
          offlineBreaker,
          join,
          mooncake);
    }
  }
}
