package io.moonpool.app.doctor;

import io.vertx.core.json.JsonObject;

/**
 * One line of the doctor's report.
 *
 * @param check what was looked at, in snake case; stays as it is, for scripts
 * @param verdict how it is
 * @param found what was found
 * @param advice what to do about it; empty when there is nothing to do
 */
public record Finding(String check, Verdict verdict, String found, String advice) {
  /** How something is. */
  public enum Verdict {
    /** As it should be. */
    OK,
    /** Nothing that hinders, but good to know. */
    NOTE,
    /** Works, but slower or less safe than it could. */
    WARN,
    /** Does not work. */
    FAIL
  }

  /** All is well. */
  static Finding ok(String check, String found) {
    return new Finding(check, Verdict.OK, found, "");
  }

  /** Good to know. */
  static Finding note(String check, String found, String advice) {
    return new Finding(check, Verdict.NOTE, found, advice);
  }

  /** Could be better. */
  static Finding warn(String check, String found, String advice) {
    return new Finding(check, Verdict.WARN, found, advice);
  }

  /** Does not work. */
  static Finding fail(String check, String found, String advice) {
    return new Finding(check, Verdict.FAIL, found, advice);
  }

  /** The same for programs. */
  public JsonObject toJson() {
    return new JsonObject()
        .put("check", check)
        .put("verdict", verdict.name())
        .put("found", found)
        .put("advice", advice);
  }
}
