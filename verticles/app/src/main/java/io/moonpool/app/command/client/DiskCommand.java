package io.moonpool.app.command.client;

import io.moonpool.app.blocking.Await;
import io.moonpool.app.blocking.BlockingObjects;
import io.moonpool.app.shell.CommandFailure;
import io.moonpool.app.shell.ExitCode;
import io.moonpool.model.ClientInfo;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.SegmentKind;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.ScopeType;

/** {@code moonpool client disk}: what its subcommands share. They ask the nodes over REST. */
@Command(
    name = "disk",
    description = {
      "Look after the disks of the nodes.",
      "The master says which there are; the nodes themselves are asked, over REST. Where they want"
          + " their admin_token, the environment variable MOONPOOL_NODE_ADMIN_TOKEN holds it."
    },
    subcommands = {DiskListCommand.class, DiskStatCommand.class, DiskGcCommand.class},
    synopsisSubcommandLabel = "COMMAND")
final class DiskCommand {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String TOKEN = "MOONPOOL_NODE_ADMIN_TOKEN";

  @ParentCommand private ClientCommand client = new ClientCommand();

  @Option(
      names = "--node-tls-ca",
      scope = ScopeType.INHERIT,
      paramLabel = "FILE",
      defaultValue = "",
      description = "PEM file with the certificates to trust the nodes' REST by. Default: no TLS.")
  private String tlsCa = "";

  /**
   * A disk of the pool.
   *
   * @param name of its segment
   * @param address of its node's REST, {@code host:port}; empty when the node has none
   */
  record Disk(String name, UUID nodeId, String address) {}

  /** Something to do with disks. */
  interface Work {
    /** Does it; answers the exit code. Blocks. */
    ExitCode with(List<Disk> disks, NodeHttp http) throws IOException;
  }

  /** Whether to print JSON. */
  boolean json() {
    return client.json();
  }

  /**
   * Finds the disks and does the work.
   *
   * @param names of disks, or ids of nodes; none: all disks
   */
  int on(List<String> names, Work work) throws IOException {
    List<Disk> disks = new ArrayList<>();
    int connected =
        client.connected(
            pool -> {
              disks.addAll(chosen(all(pool), names));
              return ExitCode.OK;
            });
    if (connected != ExitCode.OK.number()) {
      return connected;
    }
    try (NodeHttp http = NodeHttp.open(tlsCa, System.getenv().getOrDefault(TOKEN, ""))) {
      return work.with(disks, http).number();
    }
  }

  private static List<Disk> all(BlockingObjects pool) {
    Map<UUID, String> addresses = new HashMap<>();
    for (ClientInfo node : Await.result(pool.client().nodes(), LIMIT)) {
      addresses.put(node.nodeId(), node.address());
    }
    List<Disk> disks = new ArrayList<>();
    for (SegmentInfo segment : Await.result(pool.client().segments(), LIMIT)) {
      if (segment.spec().kind() == SegmentKind.LOCAL_DISK) {
        disks.add(
            new Disk(
                segment.spec().name(),
                segment.nodeId(),
                addresses.getOrDefault(segment.nodeId(), "")));
      }
    }
    return disks;
  }

  private static List<Disk> chosen(List<Disk> all, List<String> names) {
    if (names.isEmpty()) {
      return all;
    }
    List<Disk> chosen = new ArrayList<>();
    for (String name : names) {
      List<Disk> found =
          all.stream()
              .filter(disk -> disk.name().equals(name) || disk.nodeId().toString().equals(name))
              .toList();
      if (found.isEmpty()) {
        throw new CommandFailure(
            ExitCode.NOT_FOUND,
            "no disk is called "
                + name
                + ", and no node with that id lends one; there are "
                + all.stream().map(Disk::name).toList());
      }
      chosen.addAll(found);
    }
    return chosen;
  }
}
