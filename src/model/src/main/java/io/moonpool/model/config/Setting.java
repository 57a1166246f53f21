package io.moonpool.model.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Describes one component of a configuration record: the only source of the configuration
 * reference. The setting's name is the component's in snake case, with {@code Millis} and {@code
 * Micros} shortened to {@code ms} and {@code us}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Setting {
  /** What it does, in one sentence; the unit and special values included. */
  String value();

  /** True for values that must not be printed. */
  boolean secret() default false;
}
