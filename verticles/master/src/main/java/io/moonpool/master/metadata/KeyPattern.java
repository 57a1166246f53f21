package io.moonpool.master.metadata;

import io.moonpool.core.index.KeyPredicate;
import io.moonpool.master.journal.KeySelection;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the keys of one tenant in which a regular expression is found. An expression that
 * backtracks without end cannot hold a loop: matching reads a bounded number of characters per key,
 * then gives up, and the call fails. What could take long without reading is refused at once, by
 * {@link PatternCheck}. Long keys do not make harmless expressions fail: {@link LiteralRuns}.
 *
 * <p>Used by one loop at a time.
 */
final class KeyPattern implements KeyPredicate {
  private static final int MAX_PATTERN_CHARS = 4_096;
  private static final int READS_PER_KEY = 20_000;
  private static final int READS_PER_CHAR = 8;

  /** Shorter keys are never too much for literals. */
  private static final int LONG_KEY_BYTES = 128;

  /** So much of a key names it in a message. */
  private static final int SHOWN_BYTES = 64;

  private static final Logger LOG = LoggerFactory.getLogger(KeyPattern.class);

  private final Lasting lasting;
  private @Nullable StoreException failure;

  private KeyPattern(KeySelection selection, @Nullable Pattern pattern) {
    lasting = Lasting.of(selection, pattern);
  }

  /**
   * A pattern of a request.
   *
   * @param expression empty matches all keys
   * @throws StoreException INVALID_PARAMS when it is no regular expression, or none that may run
   *     here
   */
  static KeyPattern of(int tenant, String expression) {
    KeySelection selection = new KeySelection(tenant, expression);
    return new KeyPattern(selection, expression.isEmpty() ? null : checked(expression));
  }

  private static Pattern checked(String expression) {
    if (expression.length() > MAX_PATTERN_CHARS) {
      throw new StoreException(
          ErrorCode.INVALID_PARAMS,
          "the pattern has "
              + expression.length()
              + " characters: use at most "
              + MAX_PATTERN_CHARS);
    }
    try {
      Pattern pattern = Pattern.compile(expression);
      PatternCheck.check(expression, MAX_PATTERN_CHARS);
      return pattern;
    } catch (PatternSyntaxException e) {
      throw new StoreException(
          ErrorCode.INVALID_PARAMS,
          "not a regular expression: " + e.getDescription() + " near index " + e.getIndex());
    } catch (StackOverflowError e) {
      throw new StoreException(ErrorCode.INVALID_PARAMS, "the pattern is nested too deeply");
    }
  }

  /** The pattern of a removal that the journal remembers: it was checked when it came. */
  static Lasting remembered(KeySelection selection) {
    String expression = selection.expression();
    return Lasting.of(selection, expression.isEmpty() ? null : Pattern.compile(expression));
  }

  @Override
  public boolean test(int keyTenant, byte[] bytes, int offset, int length) {
    if (failure != null) {
      return false;
    }
    try {
      return lasting.isFoundIn(keyTenant, bytes, offset, length);
    } catch (TooManyReads | StackOverflowError e) {
      failure =
          new StoreException(
              ErrorCode.INVALID_PARAMS,
              "the pattern backtracks too much on the key of "
                  + length
                  + " bytes that begins with '"
                  + new String(bytes, offset, Math.min(length, SHOWN_BYTES), StandardCharsets.UTF_8)
                  + "': write it without nested repetitions, or begin it with ^");
      return false;
    }
  }

  @Override
  public Lasting lasting() {
    return lasting;
  }

  /**
   * The pattern of a removal that is over, which records on disks are compared with when their disk
   * comes back. A key on which it backtracks too much counts as chosen: it could have been, and
   * what was removed must not return. Any thread.
   */
  record Lasting(
      KeySelection selection,
      @Nullable Pattern pattern,
      @Nullable LiteralRuns literals,
      AtomicBoolean warned)
      implements KeyPredicate {
    private static Lasting of(KeySelection selection, @Nullable Pattern pattern) {
      return new Lasting(
          selection, pattern, LiteralRuns.of(selection.expression()), new AtomicBoolean());
    }

    private boolean isFoundIn(int keyTenant, byte[] bytes, int offset, int length) {
      if (keyTenant != selection.tenant()) {
        return false;
      }
      if (pattern == null) {
        return true;
      }
      String key = new String(bytes, offset, length, StandardCharsets.UTF_8);
      LiteralRuns runs = length > LONG_KEY_BYTES ? literals : null;
      if (runs != null && LiteralRuns.applies(key)) {
        return runs.isFoundIn(key);
      }
      return pattern.matcher(new Bounded(key)).find();
    }

    @Override
    public boolean test(int keyTenant, byte[] bytes, int offset, int length) {
      try {
        return isFoundIn(keyTenant, bytes, offset, length);
      } catch (TooManyReads | StackOverflowError e) {
        if (warned.compareAndSet(false, true)) {
          LOG.warn(
              "the pattern '{}' of a removal backtracks too much on keys of objects that disks bring"
                  + " back: these are taken for removed",
              selection.expression());
        }
        return true;
      }
    }

    @Override
    public boolean covers(KeyPredicate other) {
      return other instanceof Lasting earlier && selection.covers(earlier.selection);
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
