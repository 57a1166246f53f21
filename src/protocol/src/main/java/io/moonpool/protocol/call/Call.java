package io.moonpool.protocol.call;

import io.moonpool.protocol.wire.Message;
import java.nio.charset.StandardCharsets;

/**
 * One call: its name, its number and the types of request and answer.
 *
 * @param name qualified; its MD5 makes the function id
 * @param functionId what frames carry
 * @param request the arguments
 * @param answer the result
 * @param <Q> the request
 * @param <R> the result
 */
public record Call<Q, R>(String name, int functionId, Message<Q> request, Answer<R> answer) {
  /** A call of that qualified name. */
  public static <Q, R> Call<Q, R> of(String name, Message<Q> request, Answer<R> answer) {
    int functionId = Message.md5Prefix(name.getBytes(StandardCharsets.UTF_8));
    return new Call<>(name, functionId, request, answer);
  }

  @Override
  public String toString() {
    return name;
  }
}
