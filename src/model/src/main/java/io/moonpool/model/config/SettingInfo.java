package io.moonpool.model.config;

/**
 * One setting as the configuration reference shows it.
 *
 * @param name as in the configuration file, in snake case
 * @param type what it holds: {@code text}, {@code whole number}, {@code number}, {@code size}
 *     (bytes), {@code true or false}, {@code list of texts}
 * @param defaultValue what holds when the file does not name it, as text
 * @param description one sentence
 * @param secret true when its value must not be printed
 */
public record SettingInfo(
    String name, String type, String defaultValue, String description, boolean secret) {}
