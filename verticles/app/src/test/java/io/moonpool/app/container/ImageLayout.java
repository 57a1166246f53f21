package io.moonpool.app.container;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/**
 * An image in the layout of the Open Container Initiative. Reading it checks what an engine checks:
 * size and digest of everything, and the digest of each layer without its compression.
 *
 * @param config what the image says about its containers
 * @param layers files of the layers, lowest first
 */
record ImageLayout(JsonObject config, List<Path> layers) {
  private static final String OCI = "application/vnd.oci.image.";

  /** Reads a layout with one image. */
  static ImageLayout read(Path folder) throws IOException {
    expect("1.0.0", json(folder.resolve("oci-layout")).getString("imageLayoutVersion"));
    JsonArray manifests = json(folder.resolve("index.json")).getJsonArray("manifests");
    expect(1, manifests.size());
    JsonObject manifest = json(blob(folder, manifests.getJsonObject(0), OCI + "manifest.v1+json"));
    JsonObject config =
        json(blob(folder, manifest.getJsonObject("config"), OCI + "config.v1+json"));
    List<Path> layers = new ArrayList<>();
    JsonArray inside = config.getJsonObject("rootfs").getJsonArray("diff_ids");
    JsonArray described = manifest.getJsonArray("layers");
    expect(inside.size(), described.size());
    for (int i = 0; i < described.size(); i++) {
      Path layer = blob(folder, described.getJsonObject(i), OCI + "layer.v1.tar+gzip");
      try (InputStream raw = new GZIPInputStream(Files.newInputStream(layer))) {
        expect(inside.getString(i), digest(raw));
      }
      layers.add(layer);
    }
    return new ImageLayout(config, List.copyOf(layers));
  }

  private static JsonObject json(Path file) throws IOException {
    return new JsonObject(Files.readString(file));
  }

  private static Path blob(Path folder, JsonObject descriptor, String mediaType)
      throws IOException {
    expect(mediaType, descriptor.getString("mediaType"));
    String digest = descriptor.getString("digest");
    Path file = folder.resolve("blobs").resolve(digest.replace(':', '/'));
    expect(descriptor.getLong("size"), Files.size(file));
    try (InputStream content = Files.newInputStream(file)) {
      expect(digest, digest(content));
    }
    return file;
  }

  private static String digest(InputStream content) throws IOException {
    try (DigestInputStream all =
        new DigestInputStream(content, MessageDigest.getInstance("SHA-256"))) {
      all.transferTo(OutputStream.nullOutputStream());
      return "sha256:" + HexFormat.of().formatHex(all.getMessageDigest().digest());
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has it", e);
    }
  }

  private static void expect(Object expected, Object found) throws IOException {
    if (!expected.equals(found)) {
      throw new IOException("the image is damaged: expected " + expected + ", found " + found);
    }
  }

  /** What its containers are started with: user, environment and so on. */
  JsonObject settings() {
    return config.getJsonObject("config");
  }

  /** The environment of its containers. */
  Map<String, String> environment() {
    Map<String, String> environment = new LinkedHashMap<>();
    for (Object each : settings().getJsonArray("Env")) {
      String[] parts = each.toString().split("=", 2);
      environment.put(parts[0], parts[1]);
    }
    return environment;
  }

  /** Unpacks the layers over one another, with their owners: wants root. */
  void unpack(Path to) throws IOException, InterruptedException {
    Files.createDirectories(to);
    for (Path layer : layers) {
      Process tar =
          new ProcessBuilder(
                  "tar", "--numeric-owner", "-C", to.toString(), "-xpzf", layer.toString())
              .inheritIO()
              .start();
      expect(0, tar.waitFor());
    }
  }
}
