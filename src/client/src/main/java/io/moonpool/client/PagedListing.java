package io.moonpool.client;

import io.moonpool.model.ObjectInfo;
import io.moonpool.protocol.call.Calls;
import io.moonpool.protocol.call.ListObjects;
import io.vertx.core.Future;
import java.util.List;

/**
 * A listing by the master's cursor. The cursor is written on the client's loop and read by anyone.
 */
final class PagedListing implements ObjectListing {
  private static final long FIRST = 0;

  private final ClientCore core;
  private final String tenant;
  private final String pattern;
  private final int pageSize;
  private long cursor = FIRST;
  private volatile boolean finished;

  PagedListing(ClientCore core, String tenant, String pattern, int pageSize) {
    this.core = core;
    this.tenant = tenant;
    this.pattern = pattern;
    this.pageSize = pageSize;
  }

  @Override
  public Future<List<ObjectInfo>> nextPage() {
    return core.loop()
        .call(
            () ->
                finished
                    ? Future.succeededFuture(List.of())
                    : core.master()
                        .call(Calls.LIST, new ListObjects(tenant, pattern, cursor, pageSize))
                        .map(
                            page -> {
                              cursor = page.nextCursor();
                              finished = cursor == FIRST;
                              return page.objects();
                            }));
  }

  @Override
  public boolean isFinished() {
    return finished;
  }
}
