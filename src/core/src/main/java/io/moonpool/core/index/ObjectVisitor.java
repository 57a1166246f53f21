package io.moonpool.core.index;

/** Is shown objects. */
@FunctionalInterface
public interface ObjectVisitor {
  /**
   * Looks at an object. Do not keep the view and do not call the index back.
   *
   * @return false to stop after this object
   */
  boolean visit(ObjectView object);
}
