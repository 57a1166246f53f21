package io.moonpool.master.drain;

import io.moonpool.model.ClientInfo;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.SegmentInfo;
import io.moonpool.model.StoreException;
import io.moonpool.protocol.json.Uuids;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Pattern;
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
   * The node of that id, else address, else name, else host id. The master is not told names of
   * nodes, but what their segments are called: that name, and a number or {@code disk}.
   *
   * @throws StoreException CLIENT_NOT_FOUND; INVALID_PARAMS when several are called so
   */
  UUID node(String text) {
    UUID id = id(text);
    List<UUID> found = List.of();
    for (Predicate<ClientInfo> called :
        List.<Predicate<ClientInfo>>of(
            node -> node.nodeId().equals(id),
            node -> node.address().equals(text),
            node -> isCalled(node.nodeId(), text),
            node -> node.hostId().equals(text))) {
      if (found.isEmpty()) {
        found = nodes.stream().filter(called).map(ClientInfo::nodeId).distinct().toList();
      }
    }
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

  private boolean isCalled(UUID node, String text) {
    Pattern ofNode = Pattern.compile(Pattern.quote(text) + "-(\\d+|disk)");
    return !text.isEmpty()
        && segments.stream()
            .anyMatch(s -> s.nodeId().equals(node) && ofNode.matcher(s.spec().name()).matches());
  }

  static @Nullable UUID id(String text) {
    try {
      return Uuids.parse(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
