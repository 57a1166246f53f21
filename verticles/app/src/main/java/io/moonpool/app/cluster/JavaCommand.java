package io.moonpool.app.cluster;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How to run this application in another process.
 *
 * @param start the Java executable and its flags, without a heap size
 * @param application what to run: a jar, or a class path and a main class
 */
public record JavaCommand(List<String> start, List<String> application) {
  /** Copies the lists. */
  public JavaCommand {
    start = List.copyOf(start);
    application = List.copyOf(application);
  }

  /** What this JVM runs, with its flags but without its heap size, debugger and agents. */
  public static JavaCommand own() {
    List<String> start = new ArrayList<>();
    start.add(executable());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> !flag.matches("-Xm[xs].*|-agent.*|-javaagent.*|-XX:.*HeapSize=.*"))
        .forEach(start::add);
    // Found from any working folder.
    String classPath =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(entry -> Path.of(entry).toAbsolutePath().toString())
            .collect(Collectors.joining(File.pathSeparator));
    return new JavaCommand(start, List.of("-cp", classPath, "io.moonpool.app.Main"));
  }

  /** A packaged application, run by this JVM's Java. */
  public static JavaCommand ofJar(Path jar, Path flagsFile) {
    return new JavaCommand(
        List.of(executable(), "@" + flagsFile.toAbsolutePath()),
        List.of("-jar", jar.toAbsolutePath().toString()));
  }

  /** The same with one more flag, which wins over those before it. */
  public JavaCommand with(String flag) {
    List<String> more = new ArrayList<>(start);
    more.add(flag);
    return new JavaCommand(more, application);
  }

  private static String executable() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** The command line up to the application's own arguments. */
  public List<String> withHeap(int megabytes) {
    List<String> command = new ArrayList<>(start);
    command.add("-Xmx" + megabytes + "m");
    command.addAll(application);
    return command;
  }
}
