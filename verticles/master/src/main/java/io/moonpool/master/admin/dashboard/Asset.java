package io.moonpool.master.admin.dashboard;

import io.moonpool.master.admin.Answer;
import io.vertx.core.buffer.Buffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/**
 * A file of the page.
 *
 * @param contentType its media type
 * @param body its bytes
 * @param tag changes when they do
 */
public record Asset(String contentType, Buffer body, String tag) {
  /**
   * Everything comes from this port, and nothing that is written into the page can be a script.
   * Sent with every file: what a style sheet or a script may do is what its page may do.
   */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
          + " require-trusted-types-for 'script'";

  static Asset of(String name, byte[] bytes) {
    return new Asset(contentType(name), Buffer.buffer(bytes), tag(bytes));
  }

  private static String contentType(String name) {
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "html" -> "text/html; charset=utf-8";
      case "css" -> "text/css; charset=utf-8";
      case "js" -> "text/javascript; charset=utf-8";
      case "svg" -> "image/svg+xml";
      case "txt" -> "text/plain; charset=utf-8";
      default -> throw new IllegalArgumentException(name + " has no media type here");
    };
  }

  private static String tag(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return '"' + HexFormat.of().formatHex(digest, 0, 12) + '"';
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("a JDK without SHA-256", e);
    }
  }

  /** The answer that has it. A browser keeps it, and asks each time whether it has changed. */
  Answer answer() {
    return new Answer(
        200,
        contentType,
        body,
        Map.of(
            "Cache-Control", "no-cache",
            "ETag", tag,
            "Content-Security-Policy", POLICY,
            "X-Content-Type-Options", "nosniff",
            "Referrer-Policy", "no-referrer",
            "Cross-Origin-Opener-Policy", "same-origin",
            "Cross-Origin-Resource-Policy", "same-origin"));
  }
}
