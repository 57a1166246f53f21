package io.moonpool.master.drain;

import io.moonpool.model.ClientInfo;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.json.Uuids;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Finds segments and nodes by what people call them. */
record NamedSegments(List<SegmentInfo> segments, List<ClientInfo> nodes) {
  /**
   * The segment of that id or name.
   *
   * @throws StoreException SEGMENT_NOT_FOUND; INVALID_PARAMS when several have the name
   */
  SegmentInfo segment(String text) {
    UUID id = id(text);
    List<SegmentInfo> found =
        segments.stream()
            .filter(s -> s.spec().id().equals(id) || s.spec().name().equals(text))
            .toList();
    if (found.isEmpty()) {
      throw new StoreException(
          ErrorCode.SEGMENT_NOT_FOUND, "no segment is called '" + text + "': list the segments");
    }
    if (found.size() > 1) {
      throw new StoreException(
          ErrorCode.INVALID_PARAMS,
          found.size() + " segments are called '" + text + "': give the id of the one you mean");
    }
    return found.getFirst();
  }

  /**
   * The node of that id, address or host id.
   *
   * @throws StoreException CLIENT_NOT_FOUND; INVALID_PARAMS when several are called so
   */
  UUID node(String text) {
    UUID id = id(text);
    List<UUID> found =
        nodes.stream()
            .filter(
                n -> n.nodeId().equals(id) || n.address().equals(text) || n.hostId().equals(text))
            .map(ClientInfo::nodeId)
            .distinct()
            .toList();
    if (found.isEmpty()) {
      throw new StoreException(
          ErrorCode.CLIENT_NOT_FOUND, "no node is called '" + text + "': list the clients");
    }
    if (found.size() > 1) {
      throw new StoreException(
          ErrorCode.INVALID_PARAMS,
          found.size() + " nodes are called '" + text + "': give the id of the one you mean");
    }
    return found.getFirst();
  }

  static @Nullable UUID id(String text) {
    try {
      return Uuids.parse(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
