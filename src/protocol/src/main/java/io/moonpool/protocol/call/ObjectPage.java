package io.moonpool.protocol.call;

import io.moonpool.model.ObjectInfo;
import java.util.List;

/**
 * One page of a listing.
 *
 * @param nextCursor 0 when this is the last page
 */
public record ObjectPage(List<ObjectInfo> objects, long nextCursor) {}
