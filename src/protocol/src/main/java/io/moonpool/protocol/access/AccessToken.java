package io.moonpool.protocol.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The secret that callers of an administrative interface send as {@code Authorization: Bearer
 * <token>}. Any thread may use it.
 */
public final class AccessToken {
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]+=*");
  private static final String SCHEME = "Bearer ";

  private final byte[] digest;

  private AccessToken(String token) {
    digest = digest(token);
  }

  /**
   * A token.
   *
   * @throws IllegalArgumentException when it cannot be sent in an {@code Authorization} header
   */
  public static AccessToken of(String token) {
    if (!TOKEN.matcher(token).matches()) {
      throw new IllegalArgumentException(
          "admin_token must consist of letters, digits and . _ ~ + / - (then = signs): generate one,"
              + " for example 32 random bytes in hexadecimal");
    }
    return new AccessToken(token);
  }

  /**
   * Tells whether an {@code Authorization} header carries this token. Takes the same time wherever
   * the first difference is: digests are compared, so not even the length shows.
   */
  public boolean permits(@Nullable String authorization) {
    if (authorization == null
        || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return false;
    }
    return MessageDigest.isEqual(digest, digest(authorization.substring(SCHEME.length()).strip()));
  }

  private static byte[] digest(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Never the token itself. */
  @Override
  public String toString() {
    return "AccessToken[hidden]";
  }
}
