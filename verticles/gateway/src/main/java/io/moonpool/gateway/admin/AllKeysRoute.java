package io.moonpool.gateway.admin;

import io.moonpool.master.MasterOperations;
import io.moonpool.master.admin.Answer;
import io.moonpool.master.admin.RouteRequest;
import io.moonpool.master.admin.StreamRoute;
import io.moonpool.model.ObjectInfo;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.call.ListObjects;
import io.moonpool.protocol.call.ObjectPage;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.util.Optional;

/**
 * All keys of the default tenant, one a line. A page of the index is a piece of the answer: the
 * next one is looked for when the caller has taken the last.
 */
final class AllKeysRoute implements StreamRoute {
  private static final String EVERYTHING = "";
  private static final int PAGE = 1_000;

  private final MasterOperations operations;

  AllKeysRoute(MasterOperations operations) {
    this.operations = operations;
  }

  @Override
  public HttpMethod method() {
    return HttpMethod.GET;
  }

  @Override
  public String path() {
    return "/get_all_keys";
  }

  @Override
  public Pieces open(RouteRequest request) {
    return new Pages();
  }

  @Override
  public Optional<Answer> refused(StoreException failure) {
    return Optional.of(MooncakeAnswers.text(500, "Failed to get all keys"));
  }

  /** The pages of one walk. */
  private final class Pages implements Pieces {
    private long cursor;
    private boolean over;

    @Override
    public String contentType() {
      return MooncakeAnswers.TEXT;
    }

    @Override
    public Future<Buffer> next() {
      if (over) {
        return Future.succeededFuture(Buffer.buffer());
      }
      return operations
          .list(new ListObjects(KeyPaths.TENANT, EVERYTHING, cursor, PAGE))
          .compose(
              page -> {
                cursor = page.nextCursor();
                over = cursor == 0;
                // A page may be empty before the walk is over; an empty piece would end the answer.
                return page.objects().isEmpty() ? next() : Future.succeededFuture(lines(page));
              });
    }

    private static Buffer lines(ObjectPage page) {
      Buffer lines = Buffer.buffer();
      for (ObjectInfo object : page.objects()) {
        lines.appendString(object.key()).appendByte((byte) '\n');
      }
      return lines;
    }
  }
}
