package io.moonpool.app.config;

/**
 * A value that somebody gave.
 *
 * @param name the setting
 * @param value a text, or a list of texts; never interpreted by where it came from
 * @param origin where it came from, as people say it: {@code --rpc-port}, {@code environment
 *     variable MOONPOOL_MASTER_RPC_PORT}, {@code conf/master.yaml line 3}
 */
public record GivenSetting(String name, Object value, String origin) {}
