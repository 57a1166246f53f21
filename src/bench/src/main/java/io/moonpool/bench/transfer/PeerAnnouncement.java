package io.moonpool.bench.transfer;

import io.moonpool.model.SegmentEndpoint;
import io.moonpool.transfer.PeerSegment;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/**
 * What the second process tells the first, as one line of text.
 *
 * @param segment the segment it lends
 * @param referencePort where the reference program listens
 */
record PeerAnnouncement(PeerSegment segment, int referencePort) {
  private static final String MARK = "moonpool-bench-peer";

  static String encode(PeerSegment segment, int referencePort) {
    StringBuilder line = new StringBuilder(MARK);
    line.append(' ').append(referencePort);
    line.append(' ').append(segment.segmentId());
    line.append(' ').append(segment.generation());
    line.append(' ').append(segment.size());
    for (SegmentEndpoint endpoint : segment.endpoints()) {
      line.append(' ').append(endpoint.transport()).append('=');
      line.append(HexFormat.of().formatHex(endpoint.descriptor()));
    }
    return line.toString();
  }

  static boolean is(String line) {
    return line.startsWith(MARK + " ");
  }

  static PeerAnnouncement decode(String line) {
    String[] words = line.split(" ", -1);
    List<SegmentEndpoint> endpoints = new ArrayList<>();
    for (int i = 5; i < words.length; i++) {
      int equals = words[i].indexOf('=');
      endpoints.add(
          new SegmentEndpoint(
              words[i].substring(0, equals),
              HexFormat.of().parseHex(words[i].substring(equals + 1))));
    }
    return new PeerAnnouncement(
        new PeerSegment(
            UUID.fromString(words[2]),
            Long.parseLong(words[3]),
            Long.parseLong(words[4]),
            endpoints),
        Integer.parseInt(words[1]));
  }
}
