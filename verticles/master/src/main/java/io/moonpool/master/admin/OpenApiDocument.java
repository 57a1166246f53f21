package io.moonpool.master.admin;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * The OpenAPI document, written by hand as YAML in {@code openapi.yaml} beside this class.
 *
 * @param yaml as written
 * @param json the same as JSON
 */
public record OpenApiDocument(Buffer yaml, Buffer json) {
  /** Reads the document; blocks, so not for an event loop. */
  public static OpenApiDocument load() {
    try (InputStream resource = OpenApiDocument.class.getResourceAsStream("openapi.yaml")) {
      if (resource == null) {
        throw new IllegalStateException("openapi.yaml is missing in this program");
      }
      byte[] yaml = resource.readAllBytes();
      Map<String, Object> tree =
          new Yaml(new SafeConstructor(new LoaderOptions()))
              .load(new String(yaml, java.nio.charset.StandardCharsets.UTF_8));
      return new OpenApiDocument(Buffer.buffer(yaml), new JsonObject(tree).toBuffer());
    } catch (IOException e) {
      throw new IllegalStateException("openapi.yaml cannot be read", e);
    }
  }
}
