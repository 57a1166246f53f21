package io.moonpool.app.command.client;

import io.moonpool.app.blocking.BlockingObjects;
import io.moonpool.app.blocking.BlockingObjects.Moved;
import io.moonpool.app.shell.ExitCode;
import io.moonpool.client.WriteOptions;
import io.moonpool.model.ReplicateConfig;
import io.vertx.core.json.JsonObject;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code moonpool client put}. */
@Command(
    name = "put",
    description = {
      "Store files, or stdin.",
      "Objects are immutable: a key that is there is an error unless --upsert replaces it or"
          + " --ignore-existing leaves it."
    })
final class PutCommand implements Callable<Integer> {
  /** What waits for a put as a whole, waits longer than that. */
  private static final long MOST_SPACE_WAIT_MILLIS = 45_000;

  @Spec private CommandSpec spec = CommandSpec.create();
  @ParentCommand private ClientCommand client = new ClientCommand();

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "Files; folders with --recursive; - for stdin, which needs --key.")
  private List<String> files = new ArrayList<>();

  @Option(names = "--key", description = "The key, for a single FILE. Default: the path as given.")
  private @Nullable String key;

  @Option(names = "--prefix", defaultValue = "", description = "Put before each key.")
  private String prefix = "";

  @Option(
      names = {"-r", "--recursive"},
      description = "Store all files in folders.")
  private boolean recursive;

  @Option(
      names = "--replicas",
      defaultValue = "1",
      description = "How many copies in the memory of different nodes. Default: 1.")
  private int replicas;

  @Option(names = "--upsert", description = "Replace what is there.")
  private boolean upsert;

  @Option(names = "--ignore-existing", description = "Leave what is there; no error.")
  private boolean ignoreExisting;

  @Option(
      names = "--wait-for-space-ms",
      paramLabel = "N",
      defaultValue = "20000",
      description =
          "How long to try again while the pool is full: what gives way has to be on disk first, and"
              + " nobody may be reading it. Default: 20000.")
  private long spaceWaitMillis;

  @Option(
      names = "--progress",
      negatable = true,
      description = "Show how far it is, on stderr. Default: when stderr is a terminal.")
  private @Nullable Boolean progress;

  @Override
  public Integer call() throws IOException {
    List<Input> inputs = inputs();
    if (replicas < 1) {
      throw client.wrong("--replicas must be at least 1");
    }
    if (spaceWaitMillis < 0 || spaceWaitMillis > MOST_SPACE_WAIT_MILLIS) {
      throw client.wrong("--wait-for-space-ms must be 0 to " + MOST_SPACE_WAIT_MILLIS);
    }
    WriteOptions how =
        WriteOptions.of(ReplicateConfig.DEFAULT.withReplicaNum(replicas))
            .withIgnoreExisting(ignoreExisting)
            .withSpaceWaitMillis(spaceWaitMillis);
    return client.connected(pool -> put(pool, inputs, how));
  }

  private ExitCode put(BlockingObjects pool, List<Input> inputs, WriteOptions how)
      throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    try (Arena arena = Arena.ofShared()) {
      long largest = inputs.stream().mapToLong(Input::size).max().orElse(0);
      MemorySegment buffer =
          arena.allocate(Math.max(1, Math.min(largest, pool.pieceBytes())), Transfer.ALIGNMENT);
      for (Input input : inputs) {
        Transfer transfer =
            new Transfer(spec.commandLine().getErr(), progress, input.key(), input.size());
        try (FileChannel channel = input.open()) {
          Moved moved = pool.put(input.key(), transfer.reading(channel), how, upsert, buffer);
          transfer.done();
          print(out, input.key(), moved);
        }
      }
    }
    return ExitCode.OK;
  }

  private void print(PrintWriter out, String objectKey, Moved moved) {
    if (client.json()) {
      out.println(
          new JsonObject()
              .put("key", objectKey)
              .put("size", moved.bytes())
              .put("micros", moved.nanos() / 1000)
              .encode());
    } else {
      out.println(
          String.format(
              Locale.ROOT,
              "%s  %,d bytes in %.1f ms",
              objectKey,
              moved.bytes(),
              moved.nanos() / 1e6));
    }
    out.flush();
  }

  /**
   * Something to store.
   *
   * @param size in bytes; of stdin, which ends when it ends, the largest there is
   * @param file null for stdin
   */
  private record Input(String key, long size, @Nullable Path file) {
    FileChannel open() throws IOException {
      return file == null
          ? new FileInputStream(FileDescriptor.in).getChannel()
          : FileChannel.open(file, StandardOpenOption.READ);
    }
  }

  private List<Input> inputs() throws IOException {
    List<Input> inputs = new ArrayList<>();
    for (String name : files) {
      if (name.equals("-")) {
        if (key == null) {
          throw client.wrong("stdin has no name: give it one with --key");
        }
        inputs.add(new Input(prefix + key, Long.MAX_VALUE, null));
      } else {
        addFiles(Path.of(name), inputs);
      }
    }
    if (key != null && inputs.size() != 1) {
      throw client.wrong("--key goes with one FILE, not with " + inputs.size());
    }
    return inputs;
  }

  private void addFiles(Path path, List<Input> inputs) throws IOException {
    if (Files.isDirectory(path)) {
      if (!recursive) {
        throw client.wrong(path + " is a folder: store its files with --recursive");
      }
      try (Stream<Path> walk = Files.walk(path)) {
        for (Path file : walk.filter(Files::isRegularFile).sorted().toList()) {
          addFile(file, inputs);
        }
      }
    } else if (Files.isReadable(path)) {
      addFile(path, inputs);
    } else {
      throw client.wrong(
          Files.exists(path) ? path + " cannot be read" : "there is no file " + path);
    }
  }

  private void addFile(Path file, List<Input> inputs) throws IOException {
    long size = Files.size(file);
    if (size == 0) {
      throw client.wrong(file + " is empty: an object has at least one byte");
    }
    String name = key == null ? file.normalize().toString() : key;
    inputs.add(new Input(prefix + name, size, file));
  }
}
