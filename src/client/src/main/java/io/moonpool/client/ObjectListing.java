package io.moonpool.client;

import io.moonpool.model.ObjectInfo;
import io.vertx.core.Future;
import java.util.List;

/**
 * A walk over the objects of a tenant, page by page, in no particular order. Objects that exist
 * throughout the walk appear exactly once. Ask for the next page when the last has been answered;
 * not for concurrent use.
 */
public interface ObjectListing {
  /**
   * The next page. A page may be empty while more are to come; see {@link #isFinished}.
   *
   * <p>Fails like any call; asking again then repeats the page. After the last page it is empty.
   */
  Future<List<ObjectInfo>> nextPage();

  /** True once the last page has been answered. */
  boolean isFinished();
}
