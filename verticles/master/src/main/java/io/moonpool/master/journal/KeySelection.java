package io.moonpool.master.journal;

/**
 * Which keys a removal by pattern chose.
 *
 * @param tenant the tenant's number
 * @param expression a regular expression that is found in them; empty for all keys of the tenant
 */
public record KeySelection(int tenant, String expression) {
  /** Whether it is known to choose every key that another one does. */
  public boolean covers(KeySelection other) {
    return tenant == other.tenant && (expression.isEmpty() || expression.equals(other.expression));
  }
}
