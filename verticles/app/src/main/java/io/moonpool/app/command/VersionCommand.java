package io.moonpool.app.command;

import io.moonpool.app.shell.ExitCode;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URISyntaxException;
import java.security.CodeSource;
import java.util.concurrent.Callable;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code moonpool version}. Runs on the main thread. */
@Command(
    name = "version",
    description = {
      "Tell the version, the commit that it was built from and when that was made, and the Java"
          + " that runs it."
    })
final class VersionCommand implements Callable<Integer> {
  private static final String UNKNOWN = "unknown";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    Attributes built = manifest().getMainAttributes();
    PrintWriter out = spec.commandLine().getOut();
    out.println("moonpool " + MoonpoolCommand.Version.text());
    out.println("commit   " + of(built, "Build-Commit"));
    out.println("of       " + of(built, "Build-Time"));
    out.println(
        "java     " + Runtime.version() + ", " + System.getProperty("java.vm.vendor", UNKNOWN));
    out.flush();
    return ExitCode.OK.number();
  }

  private static String of(Attributes built, String name) {
    @Nullable String value = built.getValue(name);
    // Built outside of a repository it is empty; where git is not installed the name of its
    // property stays.
    return value == null || value.isBlank() || value.startsWith("${") ? UNKNOWN : value;
  }

  /** That of the jar that this class is in; an empty one when it is in none. */
  private static Manifest manifest() throws IOException {
    @Nullable CodeSource source = VersionCommand.class.getProtectionDomain().getCodeSource();
    if (source != null) {
      try {
        File place = new File(source.getLocation().toURI());
        if (place.isFile()) {
          try (JarFile jar = new JarFile(place)) {
            @Nullable Manifest manifest = jar.getManifest();
            return manifest == null ? new Manifest() : manifest;
          }
        }
      } catch (URISyntaxException e) {
        throw new IOException("the place of the application is no file", e);
      }
    }
    return new Manifest();
  }
}
