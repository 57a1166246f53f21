package io.moonpool.master.bus;

import io.moonpool.master.request.Limits;
import io.moonpool.master.request.SingleKey;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.KeyBatch;
import io.moonpool.model.Outcome;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.json.Fields;
import io.moonpool.protocol.json.JsonForms;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.function.Function;

/**
 * The keys of a request: either one ({@code key}), whose answer is the answer of the whole, or a
 * batch ({@code keys}), whose answer has one result per key.
 *
 * @param single whether there is one key
 */
record BusItems(KeyBatch keys, boolean single) {
  static BusItems of(Fields request) {
    if (request.has("key") == request.has("keys")) {
      throw new StoreException(
          ErrorCode.INVALID_PARAMS, "give either key, a text, or keys, a list of texts");
    }
    if (request.has("key")) {
      return new BusItems(SingleKey.of(request.text("key")), true);
    }
    List<String> keys = request.texts("keys");
    Limits.checkBatch(keys.size());
    return new BusItems(KeyBatch.of(keys), false);
  }

  int size() {
    return keys.size();
  }

  /** The answer to outcomes with values. */
  <T> JsonObject answer(List<Outcome<T>> outcomes, Function<T, JsonObject> form) {
    return results(outcomes, outcome -> form.apply(outcome.get()));
  }

  /** The answer to outcomes without. */
  JsonObject answer(List<Outcome<Void>> outcomes) {
    return results(outcomes, done -> new JsonObject());
  }

  private <T> JsonObject results(
      List<Outcome<T>> outcomes, Function<Outcome<T>, JsonObject> success) {
    if (single) {
      Outcome<T> only = outcomes.get(0);
      if (!only.ok()) {
        throw new StoreException(only.code());
      }
      return success.apply(only);
    }
    JsonArray results = new JsonArray();
    for (Outcome<T> outcome : outcomes) {
      results.add(
          outcome.ok()
              ? success.apply(outcome)
              : JsonForms.error(outcome.code(), outcome.code().sentence()));
    }
    return new JsonObject().put("results", results);
  }
}
