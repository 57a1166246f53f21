package io.moonpool.app.command;

import io.moonpool.app.shell.ExitCode;
import io.moonpool.app.shell.OutputOption;
import io.vertx.core.json.JsonObject;
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
import picocli.CommandLine.Mixin;

/** {@code moonpool version}. Runs on the main thread. */
@Command(
    name = "version",
    description = {
      "Tell the version, the commit that it was built from and when that was made, and the Java"
          + " that runs it."
    })
final class VersionCommand implements Callable<Integer> {
  private static final String UNKNOWN = "unknown";

  @Mixin private OutputOption output = new OutputOption();

  @Override
  public Integer call() throws IOException {
    Attributes built = manifest().getMainAttributes();
    String commit = of(built, "Build-Commit");
    String time = of(built, "Build-Time");
    String java = Runtime.version() + ", " + System.getProperty("java.vm.vendor", UNKNOWN);
    if (output.json()) {
      output.result(
          new JsonObject()
              .put("version", MoonpoolCommand.Version.text())
              .put("commit", commit)
              .put("commit_time", time)
              .put("java", java));
    } else {
      PrintWriter out = output.text();
      out.println("moonpool " + MoonpoolCommand.Version.text());
      out.println("commit   " + commit);
      out.println("of       " + time);
      out.println("java     " + java);
      out.flush();
    }
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
