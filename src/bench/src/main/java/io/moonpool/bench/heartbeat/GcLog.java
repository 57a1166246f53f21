package io.moonpool.bench.heartbeat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the collector of the master wrote since a moment.
 *
 * @param longestPauseMillis the longest pause
 * @param longestReachMillis the longest time that threads took to come to a safepoint
 * @param stalls how often a thread waited for memory
 * @param heartbeatStalls how often the heartbeat's did
 */
public record GcLog(
    double longestPauseMillis, double longestReachMillis, int stalls, int heartbeatStalls) {
  private static final Pattern PAUSE = Pattern.compile("Pause [^\\n]*? (\\d+\\.\\d+)ms");
  private static final Pattern SAFEPOINT =
      Pattern.compile("Reaching safepoint: +(\\d+) ns.*?Total: +(\\d+) ns");
  private static final Pattern STALL = Pattern.compile("Allocation Stall \\(([^)]*)\\)");

  /** The flag that makes a JVM write to that file what is read here. */
  public static String flag(Path log) {
    return "-Xlog:gc,gc+phases,safepoint:file=" + log;
  }

  /** Where the log ends now. */
  public static long mark(Path log) throws IOException {
    return Files.exists(log) ? Files.size(log) : 0;
  }

  /** Reads what was written after a mark. */
  public static GcLog since(Path log, long mark) throws IOException {
    if (!Files.exists(log)) {
      return new GcLog(0, 0, 0, 0);
    }
    String text;
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      file.seek(Math.min(mark, file.length()));
      byte[] bytes = new byte[(int) Math.min(file.length() - file.getFilePointer(), 1 << 28)];
      file.readFully(bytes);
      text = new String(bytes, StandardCharsets.UTF_8);
    }
    double pause = 0;
    for (Matcher m = PAUSE.matcher(text); m.find(); ) {
      pause = Math.max(pause, Double.parseDouble(m.group(1)));
    }
    double reach = 0;
    for (Matcher m = SAFEPOINT.matcher(text); m.find(); ) {
      reach = Math.max(reach, Long.parseLong(m.group(1)) / 1e6);
    }
    int stalls = 0;
    int heartbeat = 0;
    for (Matcher m = STALL.matcher(text); m.find(); ) {
      stalls++;
      heartbeat += m.group(1).contains("heartbeat") ? 1 : 0;
    }
    return new GcLog(pause, reach, stalls, heartbeat);
  }
}
