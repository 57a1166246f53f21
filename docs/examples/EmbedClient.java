import io.moonpool.client.ClientOptions;
import io.moonpool.client.MoonpoolClient;
import io.moonpool.client.WriteOptions;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.List;

/**
 * The client library in an application of its own: put, read, a batch, and what a failure looks
 * like. The argument is the master's main port, 127.0.0.1:50051 without one.
 */
public final class EmbedClient {
  private EmbedClient() {}

  public static void main(String[] args) {
    String[] master = (args.length == 0 ? "127.0.0.1:50051" : args[0]).split(":");
    String host = master[0];
    int port = Integer.parseInt(master[1]);
    // begin: connect
    Vertx vertx = Vertx.vertx();
    MoonpoolClient.connect(vertx, ClientOptions.of(host, port))
        .compose(client -> tour(client).eventually(client::close))
        .onSuccess(done -> System.out.println("done"))
        .onFailure(failure -> System.err.println("failed: " + failure.getMessage()))
        .eventually(vertx::close);
    // end: connect
  }

  private static Future<Void> tour(MoonpoolClient client) {
    return putAndGet(client)
        .compose(value -> batch(client))
        .compose(values -> missing(client))
        .compose(none -> client.remove("example/prompt-1", true));
  }

  private static Future<Buffer> putAndGet(MoonpoolClient client) {
    // begin: put and get
    return client
        .upsert("example/prompt-1", Buffer.buffer("a value"), WriteOptions.replicas(1))
        .compose(stored -> client.get("example/prompt-1"))
        .onSuccess(value -> System.out.println("read: " + value));
    // end: put and get
  }

  private static Future<?> batch(MoonpoolClient client) {
    List<String> keys = List.of("example/prompt-1", "example/no-such-key");
    // Each key has an outcome of its own; the future fails only when the whole batch does.
    return client
        .getBatch(keys)
        .onSuccess(
            outcomes -> {
              for (int i = 0; i < keys.size(); i++) {
                System.out.println(
                    keys.get(i)
                        + ": "
                        + (outcomes.get(i).ok()
                            ? outcomes.get(i).get().length() + " bytes"
                            : outcomes.get(i).code()));
              }
            });
  }

  private static Future<Void> missing(MoonpoolClient client) {
    return client
        .get("example/no-such-key")
        .<Void>mapEmpty()
        .recover(
            failure ->
                failure instanceof StoreException store
                        && store.code() == ErrorCode.OBJECT_NOT_FOUND
                    ? compute()
                    : Future.failedFuture(failure));
  }

  /** What a cache is for: what it does not have is computed. */
  private static Future<Void> compute() {
    System.out.println("not in the pool: computing it");
    return Future.succeededFuture();
  }
}
