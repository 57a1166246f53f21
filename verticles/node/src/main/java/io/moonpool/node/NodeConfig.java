package io.moonpool.node;

import io.moonpool.model.config.ByteSizes;
import io.moonpool.model.config.Setting;
import io.moonpool.model.config.SettingInfo;
import io.moonpool.model.config.SettingsReader;
import io.moonpool.node.disk.DiskConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Everything that can be configured about a node: validated when it is built, immutable, printed at
 * start. The {@link Setting} beside each component is its documentation; {@link #settings()} lists
 * them for the configuration reference, and {@link #of} reads them from a file's map.
 */
public record NodeConfig(
    @Setting("Host name or address of the master.") String masterHost,
    @Setting("Port of the master's hot calls (frames).") int masterPort,
    @Setting("PEM file with the certificates to trust the master by; empty: no TLS to the master.")
        String masterTlsCa,
    @Setting("Name of the node: prefix of its segments' names. Empty: the host's name.")
        String name,
    @Setting("Physical host, for local-first placement and shared memory. Empty: the host's name.")
        String hostId,
    @Setting("Directory that holds the node's id. One process at a time may use it.")
        String dataDir,
    @Setting(
            "Segments of memory to lend: sizes in bytes or with a unit, each with an optional"
                + " count, like '4GiB' or '2GiB x 4'. Empty: the node lends nothing.")
        List<String> segmentBytes,
    @Setting(
            "Transports to serve the segments with, and to reach others' with, best first: shm (same"
                + " host), ucx (RDMA), tcp. One that this machine cannot offer is left out.")
        List<String> transports,
    @Setting(
            "Transports of the UCX library that ucx uses, in its own words, like 'rc,self'. Empty:"
                + " the library's choice, and without an RDMA device none unless ucx is the only"
                + " transport.")
        String ucxTls,
    @Setting(
            "How long the two threads of ucx look for work before they sleep, in microseconds: a"
                + " longer time costs CPU and saves latency.")
        int ucxSpinMicros,
    @Setting("Address that the tcp transport listens on.") String dataHost,
    @Setting("Name or address that peers reach the tcp transport at. Empty: data_host.")
        String dataAdvertisedHost,
    @Setting("Port of the tcp transport; 0: any free port.") int dataPort,
    @Setting(
            "Whether the tcp transport speaks TLS, with tls_cert here and master_tls_ca to trust"
                + " others by; all nodes and clients of a pool alike.")
        boolean dataTls,
    @Setting(
            "Whether the segments are served to clients of Mooncake as well, by its tcp transport. It"
                + " has no TLS: with data_tls they are not.")
        boolean mooncakeEnabled,
    @Setting(
            "Port of that transport's handshake, at data_host and data_advertised_host; 0: any free"
                + " port.")
        int mooncakePort,
    @Setting("Port of its data, which the handshake tells; 0: any free port.") int mooncakeDataPort,
    @Setting(
            "Address that HTTP listens on. Empty: loopback without admin_token, all addresses with"
                + " one.")
        String httpHost,
    @Setting("Port of REST, metrics and health; 0: any free port.") int httpPort,
    @Setting(
            "Most connections to http_port, to data_port, to disk_port, to mooncake_port and to"
                + " mooncake_data_port, each, at one time; more are closed at once and counted.")
        int maxConnections,
    @Setting("Memory for the bodies of HTTP requests under way; more requests wait.")
        long stagingBytes,
    @Setting(
            "How long an HTTP request waits for such memory before it is refused with 503. Peers that"
                + " take or send nothing for a tenth of it are cut off while others wait.")
        long stagingWaitMillis,
    @Setting("Objects larger than this are stored in parts of this size.") long partBytes,
    @Setting(
            "How long an HTTP put that finds the pool full tries again: what is in its place may have"
                + " to be copied to a disk first, or be leased by a reader; 0: not at all.")
        long putSpaceWaitMillis,
    @Setting("Time between pings.") long heartbeatIntervalMillis,
    @Setting("How long the master may take to answer a call.") long requestTimeoutMillis,
    @Setting(
            "How long to ask again when the master believes that another process has this node's"
                + " id: after a crash it does until it suspects the old one.")
        long registerTimeoutMillis,
    @Setting("Most copies and moves of objects to other nodes at a time.") int taskConcurrency,
    @Setting(value = "Token that HTTP asks for; empty: none.", secret = true) String adminToken,
    @Setting("PEM file of the HTTP server's certificate; empty: no TLS.") String tlsCert,
    @Setting("PEM file of its private key; goes with tls_cert.") String tlsKey,
    DiskConfig disk) {

  private static final Set<String> TRANSPORTS = Set.of("shm", "ucx", "tcp");
  private static final Pattern SEGMENTS = Pattern.compile("(.*?)(?:\\s*[xX*]\\s*(\\d{1,5}))?");
  private static final long MIN_SEGMENT_BYTES = 1L << 20;
  private static final long MAX_SEGMENT_BYTES = 1L << 40;

  /** The defaults. */
  public static final NodeConfig DEFAULT = new Builder().build();

  /**
   * Validates.
   *
   * @throws IllegalArgumentException names the setting, what it may be, and what it was
   */
  public NodeConfig {
    segmentBytes = List.copyOf(segmentBytes);
    transports = List.copyOf(transports);
    check(!masterHost.isBlank(), "master_host", "a host name or address", masterHost);
    check(masterPort >= 1 && masterPort <= 65_535, "master_port", "1 to 65535", masterPort);
    check(!dataDir.isBlank(), "data_dir", "a directory", dataDir);
    segmentSizes(segmentBytes);
    check(
        !transports.isEmpty()
            && TRANSPORTS.containsAll(transports)
            && Set.copyOf(transports).size() == transports.size(),
        "transports",
        "one or more of shm, ucx and tcp, each once",
        transports);
    check(
        ucxSpinMicros >= 0 && ucxSpinMicros <= 1_000_000,
        "ucx_spin_us",
        "0 to 1000000",
        ucxSpinMicros);
    check(!dataHost.isBlank(), "data_host", "an address", dataHost);
    String reached = dataAdvertisedHost.isEmpty() ? dataHost : dataAdvertisedHost;
    check(
        !reached.equals("0.0.0.0") && !reached.equals("::"),
        "data_advertised_host",
        "an address that peers can reach, when data_host is a wildcard",
        reached);
    check(dataPort >= 0 && dataPort <= 65_535, "data_port", "0 to 65535", dataPort);
    check(mooncakePort >= 0 && mooncakePort <= 65_535, "mooncake_port", "0 to 65535", mooncakePort);
    check(
        mooncakeDataPort >= 0
            && mooncakeDataPort <= 65_535
            && (mooncakeDataPort == 0 || mooncakeDataPort != mooncakePort),
        "mooncake_data_port",
        "0 to 65535, and another port than mooncake_port",
        mooncakeDataPort);
    check(httpPort >= 0 && httpPort <= 65_535, "http_port", "0 to 65535", httpPort);
    check(
        maxConnections >= 1 && maxConnections <= 1_000_000,
        "max_connections",
        "1 to 1000000",
        maxConnections);
    check(partBytes >= 1L << 20 && partBytes <= 1L << 30, "part_bytes", "1MiB to 1GiB", partBytes);
    check(
        stagingBytes >= 2 * partBytes,
        "staging_bytes",
        "at least twice part_bytes (" + ByteSizes.format(partBytes) + ")",
        stagingBytes);
    check(
        stagingWaitMillis >= 100 && stagingWaitMillis <= 60_000,
        "staging_wait_ms",
        "100 to 60000",
        stagingWaitMillis);
    check(
        putSpaceWaitMillis >= 0 && putSpaceWaitMillis <= 60_000,
        "put_space_wait_ms",
        "0 to 60000",
        putSpaceWaitMillis);
    check(
        heartbeatIntervalMillis >= 10 && heartbeatIntervalMillis <= 60_000,
        "heartbeat_interval_ms",
        "10 to 60000",
        heartbeatIntervalMillis);
    check(requestTimeoutMillis > 0, "request_timeout_ms", "above 0", requestTimeoutMillis);
    check(registerTimeoutMillis >= 0, "register_timeout_ms", "0 or more", registerTimeoutMillis);
    check(
        taskConcurrency >= 1 && taskConcurrency <= 1_024,
        "task_concurrency",
        "1 to 1024",
        taskConcurrency);
    check(
        !dataTls || !tlsCert.isEmpty(), "data_tls", "false, or tls_cert and tls_key set", dataTls);
    check(
        tlsCert.isEmpty() == tlsKey.isEmpty(),
        "tls_cert",
        "set together with tls_key, or not at all",
        tlsCert);
  }

  private static void check(boolean holds, String name, String expected, Object was) {
    if (!holds) {
      throw new IllegalArgumentException(name + " must be " + expected + ", but is '" + was + "'");
    }
  }

  private static List<Long> segmentSizes(List<String> texts) {
    List<Long> sizes = new ArrayList<>();
    for (String text : texts) {
      Matcher matcher = SEGMENTS.matcher(text.strip());
      check(matcher.matches(), "segment_bytes", "like '4GiB' or '2GiB x 4'", text);
      long size;
      try {
        size = ByteSizes.parse(matcher.group(1));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "segment_bytes must be like '4GiB' or '2GiB x 4', but is '" + text + "'", e);
      }
      check(
          size >= MIN_SEGMENT_BYTES && size <= MAX_SEGMENT_BYTES,
          "segment_bytes",
          "1MiB to 1TiB each",
          text);
      int count = matcher.group(2) == null ? 1 : Integer.parseInt(matcher.group(2));
      for (int i = 0; i < count; i++) {
        sizes.add(size);
      }
    }
    return List.copyOf(sizes);
  }

  /** The sizes of the segments to lend, in bytes, one entry per segment. */
  public List<Long> segmentSizes() {
    return segmentSizes(segmentBytes);
  }

  /** The name or address that peers reach the tcp transport at. */
  public String effectiveDataHost() {
    return dataAdvertisedHost.isEmpty() ? dataHost : dataAdvertisedHost;
  }

  /** True when clients of Mooncake are served. */
  public boolean servesMooncake() {
    return mooncakeEnabled && !dataTls;
  }

  /** The address that HTTP listens on. */
  public String effectiveHttpHost() {
    if (!httpHost.isEmpty()) {
      return httpHost;
    }
    return adminToken.isEmpty() ? "127.0.0.1" : "0.0.0.0";
  }

  /** True when HTTP speaks TLS. */
  public boolean tls() {
    return !tlsCert.isEmpty();
  }

  /** A builder that holds the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * The configuration that a file gives; what it does not name has its default.
   *
   * @param values by setting name; numbers, texts, booleans and lists, texts also for the others
   * @throws IllegalArgumentException for an unknown name or a value that cannot work
   */
  public static NodeConfig of(Map<String, ?> values) {
    return SettingsReader.read(NodeConfig.class, DEFAULT, values);
  }

  /** All settings, in the order of the reference. */
  public static List<SettingInfo> settings() {
    return SettingsReader.describe(NodeConfig.class, DEFAULT);
  }

  /** One line a setting, secrets hidden; for the log at start. */
  @Override
  public String toString() {
    return SettingsReader.print(this);
  }

  /** Collects settings; not thread safe. Each method sets the component of its name. */
  public static final class Builder {
    private String masterHost = "127.0.0.1";
    private int masterPort = 50_051;
    private String masterTlsCa = "";
    private String name = "";
    private String hostId = "";
    private String dataDir = "moonpool-node";
    private List<String> segmentBytes = List.of("1GiB");
    private List<String> transports = List.of("shm", "ucx", "tcp");
    private String ucxTls = "";
    private int ucxSpinMicros = 20;
    private String dataHost = "127.0.0.1";
    private String dataAdvertisedHost = "";
    private int dataPort;
    private boolean dataTls;
    private boolean mooncakeEnabled = true;
    private int mooncakePort;
    private int mooncakeDataPort;
    private String httpHost = "";
    private int httpPort = 9_300;
    private int maxConnections = 10_000;
    private long stagingBytes = 256L << 20;
    private long stagingWaitMillis = 5_000;
    private long partBytes = 64L << 20;

    // A lease lasts 10 s, and a full bucket takes some seconds on a slow disk; people who wait for
    // curl give up later.
    private long putSpaceWaitMillis = 20_000;
    private long heartbeatIntervalMillis = 1_000;
    private long requestTimeoutMillis = 10_000;
    private long registerTimeoutMillis = 30_000;
    private int taskConcurrency = 16;
    private String adminToken = "";
    private String tlsCert = "";
    private String tlsKey = "";
    private DiskConfig disk = DiskConfig.NONE;

    private Builder() {}

    /** Any free port, on loopback: for tests. */
    public Builder ephemeral() {
      return httpPort(0).dataPort(0);
    }

    /** Sets masterHost. */
    public Builder masterHost(String masterHost) {
      this.masterHost = masterHost;
      return this;
    }

    /** Sets masterPort. */
    public Builder masterPort(int masterPort) {
      this.masterPort = masterPort;
      return this;
    }

    /** Sets masterTlsCa. */
    public Builder masterTlsCa(String masterTlsCa) {
      this.masterTlsCa = masterTlsCa;
      return this;
    }

    /** Sets name. */
    public Builder name(String name) {
      this.name = name;
      return this;
    }

    /** Sets hostId. */
    public Builder hostId(String hostId) {
      this.hostId = hostId;
      return this;
    }

    /** Sets dataDir. */
    public Builder dataDir(String dataDir) {
      this.dataDir = dataDir;
      return this;
    }

    /** Sets segmentBytes. */
    public Builder segmentBytes(List<String> segmentBytes) {
      this.segmentBytes = segmentBytes;
      return this;
    }

    /** Sets transports. */
    public Builder transports(List<String> transports) {
      this.transports = transports;
      return this;
    }

    /** Sets ucxTls. */
    public Builder ucxTls(String ucxTls) {
      this.ucxTls = ucxTls;
      return this;
    }

    /** Sets ucxSpinMicros. */
    public Builder ucxSpinMicros(int ucxSpinMicros) {
      this.ucxSpinMicros = ucxSpinMicros;
      return this;
    }

    /** Sets dataHost. */
    public Builder dataHost(String dataHost) {
      this.dataHost = dataHost;
      return this;
    }

    /** Sets dataAdvertisedHost. */
    public Builder dataAdvertisedHost(String dataAdvertisedHost) {
      this.dataAdvertisedHost = dataAdvertisedHost;
      return this;
    }

    /** Sets dataPort. */
    public Builder dataPort(int dataPort) {
      this.dataPort = dataPort;
      return this;
    }

    /** Sets dataTls. */
    public Builder dataTls(boolean dataTls) {
      this.dataTls = dataTls;
      return this;
    }

    /** Sets mooncakeEnabled. */
    public Builder mooncakeEnabled(boolean mooncakeEnabled) {
      this.mooncakeEnabled = mooncakeEnabled;
      return this;
    }

    /** Sets mooncakePort. */
    public Builder mooncakePort(int mooncakePort) {
      this.mooncakePort = mooncakePort;
      return this;
    }

    /** Sets mooncakeDataPort. */
    public Builder mooncakeDataPort(int mooncakeDataPort) {
      this.mooncakeDataPort = mooncakeDataPort;
      return this;
    }

    /** Sets httpHost. */
    public Builder httpHost(String httpHost) {
      this.httpHost = httpHost;
      return this;
    }

    /** Sets httpPort. */
    public Builder httpPort(int httpPort) {
      this.httpPort = httpPort;
      return this;
    }

    /** Sets maxConnections. */
    public Builder maxConnections(int maxConnections) {
      this.maxConnections = maxConnections;
      return this;
    }

    /** Sets stagingBytes. */
    public Builder stagingBytes(long stagingBytes) {
      this.stagingBytes = stagingBytes;
      return this;
    }

    /** Sets stagingWaitMillis. */
    public Builder stagingWaitMillis(long stagingWaitMillis) {
      this.stagingWaitMillis = stagingWaitMillis;
      return this;
    }

    /** Sets partBytes. */
    public Builder partBytes(long partBytes) {
      this.partBytes = partBytes;
      return this;
    }

    /** Sets putSpaceWaitMillis. */
    public Builder putSpaceWaitMillis(long putSpaceWaitMillis) {
      this.putSpaceWaitMillis = putSpaceWaitMillis;
      return this;
    }

    /** Sets heartbeatIntervalMillis. */
    public Builder heartbeatIntervalMillis(long heartbeatIntervalMillis) {
      this.heartbeatIntervalMillis = heartbeatIntervalMillis;
      return this;
    }

    /** Sets requestTimeoutMillis. */
    public Builder requestTimeoutMillis(long requestTimeoutMillis) {
      this.requestTimeoutMillis = requestTimeoutMillis;
      return this;
    }

    /** Sets registerTimeoutMillis. */
    public Builder registerTimeoutMillis(long registerTimeoutMillis) {
      this.registerTimeoutMillis = registerTimeoutMillis;
      return this;
    }

    /** Sets taskConcurrency. */
    public Builder taskConcurrency(int taskConcurrency) {
      this.taskConcurrency = taskConcurrency;
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

    /** Sets disk. */
    public Builder disk(DiskConfig disk) {
      this.disk = disk;
      return this;
    }

    /**
     * The configuration.
     *
     * @throws IllegalArgumentException names the setting, what it may be, and what it was
     */
    public NodeConfig build() {
      return new NodeConfig(
          masterHost,
          masterPort,
          masterTlsCa,
          name,
          hostId,
          dataDir,
          segmentBytes,
          transports,
          ucxTls,
          ucxSpinMicros,
          dataHost,
          dataAdvertisedHost,
          dataPort,
          dataTls,
          mooncakeEnabled,
          mooncakePort,
          mooncakeDataPort,
          httpHost,
          httpPort,
          maxConnections,
          stagingBytes,
          stagingWaitMillis,
          partBytes,
          putSpaceWaitMillis,
          heartbeatIntervalMillis,
          requestTimeoutMillis,
          registerTimeoutMillis,
          taskConcurrency,
          adminToken,
          tlsCert,
          tlsKey,
          disk);
    }
  }
}
