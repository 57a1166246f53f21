package io.moonpool.app.command.client;

import io.moonpool.app.blocking.Await;
import io.moonpool.app.blocking.BlockingObjects;
import io.moonpool.app.shell.ExitCode;
import io.moonpool.app.shell.Terminal;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code moonpool client get}. */
@Command(
    name = "get",
    description = {
      "Read an object into a file or to stdout.",
      "A file appears when it is complete, and replaces what was there."
    })
final class GetCommand implements Callable<Integer> {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Spec private CommandSpec spec = CommandSpec.create();
  @ParentCommand private ClientCommand client = new ClientCommand();

  @Parameters(paramLabel = "KEY", description = "Which object.")
  private String key = "";

  @Option(
      names = {"-o", "--to"},
      paramLabel = "FILE",
      defaultValue = "-",
      description = "Where to write it; - is stdout. Default: -.")
  private String to = "-";

  @Option(
      names = "--progress",
      negatable = true,
      description = "Show how far it is, on stderr. Default: when stdout is a terminal.")
  private @Nullable Boolean progress;

  @Override
  public Integer call() throws IOException {
    if (to.equals("-")) {
      if (Terminal.isThere()) {
        throw client.wrong("stdout is a terminal: write to a file with --to FILE, or to a pipe");
      }
      return client.connected(
          pool -> {
            try (FileChannel stdout = new FileOutputStream(FileDescriptor.out).getChannel()) {
              return get(pool, stdout);
            }
          });
    }
    return client.connected(pool -> getFile(pool, Path.of(to).toAbsolutePath()));
  }

  private ExitCode getFile(BlockingObjects pool, Path file) throws IOException {
    Path next = Files.createTempFile(file.getParent(), file.getFileName() + ".", ".part");
    try {
      try (FileChannel channel = FileChannel.open(next, StandardOpenOption.WRITE)) {
        get(pool, channel);
      }
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      return ExitCode.OK;
    } finally {
      Files.deleteIfExists(next);
    }
  }

  private ExitCode get(BlockingObjects pool, FileChannel target) throws IOException {
    long size = Await.result(pool.values().size(key), LIMIT);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment buffer =
          arena.allocate(Math.min(Math.max(1, size), pool.pieceBytes()), Transfer.ALIGNMENT);
      Transfer transfer = new Transfer(spec.commandLine().getErr(), progress, key, size);
      pool.get(key, buffer, transfer.writing(target));
      transfer.done();
    }
    return ExitCode.OK;
  }
}
