package io.moonpool.master.metadata;

import io.moonpool.core.index.KeyPredicate;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the keys of one tenant in which a regular expression is found. An expression that
 * backtracks without end cannot hold a loop: matching reads a bounded number of characters per key,
 * then gives up, and the call fails.
 *
 * <p>Used by one loop at a time.
 */
final class KeyPattern implements KeyPredicate {
  private static final int MAX_PATTERN_CHARS = 4_096;
  private static final int READS_PER_KEY = 20_000;
  private static final int READS_PER_CHAR = 8;

  private final int tenant;
  private final @Nullable Pattern pattern;
  private @Nullable StoreException failure;

  private KeyPattern(int tenant, @Nullable Pattern pattern) {
    this.tenant = tenant;
    this.pattern = pattern;
  }

  /**
   * A pattern of a request.
   *
   * @param expression empty matches all keys
   * @throws StoreException INVALID_PARAMS when it is no regular expression
   */
  static KeyPattern of(int tenant, String expression) {
    if (expression.isEmpty()) {
      return new KeyPattern(tenant, null);
    }
    if (expression.length() > MAX_PATTERN_CHARS) {
      throw new StoreException(
          ErrorCode.INVALID_PARAMS,
          "the pattern has "
              + expression.length()
              + " characters: use at most "
              + MAX_PATTERN_CHARS);
    }
    try {
      return new KeyPattern(tenant, Pattern.compile(expression));
    } catch (PatternSyntaxException e) {
      throw new StoreException(
          ErrorCode.INVALID_PARAMS,
          "not a regular expression: " + e.getDescription() + " near index " + e.getIndex());
    } catch (StackOverflowError e) {
      throw new StoreException(ErrorCode.INVALID_PARAMS, "the pattern is nested too deeply");
    }
  }

  @Override
  public boolean test(int keyTenant, byte[] bytes, int offset, int length) {
    if (keyTenant != tenant || failure != null) {
      return false;
    }
    if (pattern == null) {
      return true;
    }
    String key = new String(bytes, offset, length, StandardCharsets.UTF_8);
    try {
      return pattern.matcher(new Bounded(key)).find();
    } catch (TooManyReads | StackOverflowError e) {
      failure =
          new StoreException(
              ErrorCode.INVALID_PARAMS,
              "the pattern backtracks too much on a key of "
                  + length
                  + " bytes: write it without nested repetitions");
      return false;
    }
  }

  /** Why no key matches any more; null while all is well. */
  @Nullable StoreException failure() {
    return failure;
  }

  private static final class TooManyReads extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooManyReads() {
      super(null, null, false, false);
    }
  }

  /** The key, readable only so often. */
  private static final class Bounded implements CharSequence {
    private final String key;
    private int reads;

    Bounded(String key) {
      this.key = key;
      this.reads = READS_PER_KEY + READS_PER_CHAR * key.length();
    }

    @Override
    public char charAt(int index) {
      if (--reads < 0) {
        throw new TooManyReads();
      }
      return key.charAt(index);
    }

    @Override
    public int length() {
      return key.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return key.subSequence(start, end);
    }

    @Override
    public String toString() {
      return key;
    }
  }
}
