package io.moonpool.protocol.mooncake;

import io.moonpool.protocol.call.Call;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A request that a Mooncake client has sent and the answer that it got, as they were recorded:
 * whole frames.
 */
record Exchange(String call, byte[] request, byte[] response) {
  private static final Pattern HEADING = Pattern.compile("### (\\S+) .*");
  private static final Pattern DUMP = Pattern.compile("    [0-9a-f]{4}  ((?:[0-9a-f]{2} ?)+) .*");

  static List<Exchange> all() throws IOException {
    List<Exchange> exchanges = new ArrayList<>();
    exchanges.addAll(parse("mooncake/exchanges-benchmark.txt"));
    exchanges.addAll(parse("mooncake/exchanges-client.txt"));
    return exchanges;
  }

  private static List<Exchange> parse(String resource) throws IOException {
    List<Exchange> exchanges = new ArrayList<>();
    String call = "";
    StringBuilder[] sides = {new StringBuilder(), new StringBuilder()};
    int side = 0;
    for (String line : lines(resource)) {
      Matcher heading = HEADING.matcher(line);
      Matcher dump = DUMP.matcher(line);
      if (heading.matches()) {
        call = heading.group(1);
        sides = new StringBuilder[] {new StringBuilder(), new StringBuilder()};
      } else if (line.strip().equals("request:")) {
        side = 0;
      } else if (line.strip().equals("response:")) {
        side = 1;
      } else if (dump.matches()) {
        sides[side].append(dump.group(1).replace(" ", ""));
      } else if (line.isBlank() && !sides[1].isEmpty()) {
        exchanges.add(new Exchange(call, bytes(sides[0]), bytes(sides[1])));
        sides[1].setLength(0);
      }
    }
    return exchanges;
  }

  private static byte[] bytes(CharSequence hex) {
    return HexFormat.of().parseHex(hex);
  }

  /** The call as it is described. */
  Call<?, ?> described() {
    return MooncakeCalls.all().stream()
        .filter(each -> each.name().equals(call))
        .findFirst()
        .orElseThrow();
  }

  /** The lines of a resource of this package's tests. */
  static List<String> lines(String resource) throws IOException {
    try (InputStream in = Exchange.class.getResourceAsStream("/" + resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  @Override
  public String toString() {
    return call;
  }
}
