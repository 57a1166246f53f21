package io.moonpool.app.doctor;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks at everything, one after the other. Blocks for some seconds at most. */
public final class Doctor {
  private final Path root;
  private final @Nullable Path diskFolder;
  private final @Nullable Master master;

  /**
   * The master to look at.
   *
   * @param host name or address
   * @param port of the hot calls
   * @param httpPort of REST
   * @param tlsCa PEM file with the certificates to trust it by; null: it has no TLS
   */
  public record Master(String host, int port, int httpPort, @Nullable Path tlsCa) {}

  /**
   * Prepares a look.
   *
   * @param root where {@code proc} and {@code sys} are
   * @param diskFolder for a node's disk; null: none
   * @param master null: none
   */
  public Doctor(Path root, @Nullable Path diskFolder, @Nullable Master master) {
    this.root = root;
    this.diskFolder = diskFolder;
    this.master = master;
  }

  /** Looks. */
  public List<Finding> look() {
    KernelFiles kernel = new KernelFiles(root);
    List<Finding> findings = new ArrayList<>();
    List<String> flags = ManagementFactory.getRuntimeMXBean().getInputArguments();
    findings.addAll(new MachineChecks(kernel, flags, Runtime.version().feature()).look());
    findings.add(DiskCheck.look(diskFolder));
    findings.addAll(new KernelChecks(kernel).look());
    findings.addAll(new UcxChecks(kernel).look());
    Master named = master;
    findings.addAll(named == null ? MasterChecks.notLooked() : new MasterChecks(named).look());
    return findings;
  }
}
