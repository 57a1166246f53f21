package io.moonpool.app.shell;

import io.moonpool.model.ErrorCode;
import java.util.LinkedHashMap;
import java.util.Map;

/** How a process ends. The numbers are documented in every command's help and stay as they are. */
public enum ExitCode {
  /** Done. For a server: closed in an orderly way after a signal. */
  OK(0, "done; a server: stopped in an orderly way"),
  /** The operation failed. */
  FAILED(1, "the operation failed; the message says why"),
  /** Wrong command line. */
  USAGE(2, "wrong command line"),
  /** Wrong configuration. */
  CONFIGURATION(
      3, "wrong configuration: an unknown setting, a bad value, a file that cannot be read"),
  /** No such object, or what else was named. */
  NOT_FOUND(4, "no such object, node, segment, job or task"),
  /** Nobody answered. */
  UNREACHABLE(5, "the master or a node cannot be reached, or did not answer in time"),
  /** A drain job ended as FAILED. */
  DRAIN_FAILED(6, "a drain failed: objects are left, and its segments still take no new ones"),
  /** A drain job ended as CANCELED. */
  DRAIN_CANCELED(7, "a drain was canceled: its segments take objects again"),
  /** Waiting took longer than was asked for. */
  TIMED_OUT(8, "the time to wait was over; what was waited for goes on");

  private final int number;
  private final String meaning;

  ExitCode(int number, String meaning) {
    this.number = number;
    this.meaning = meaning;
  }

  /** The number that the process ends with. */
  public int number() {
    return number;
  }

  /** What it says, for people. */
  public String meaning() {
    return meaning;
  }

  /** The exit code that a failed call ends a command with. */
  public static ExitCode of(ErrorCode error) {
    return switch (error) {
      case OK -> OK;
      case OBJECT_NOT_FOUND, CLIENT_NOT_FOUND, SEGMENT_NOT_FOUND, JOB_NOT_FOUND, TASK_NOT_FOUND ->
          NOT_FOUND;
      case RPC_FAIL, RPC_TIMEOUT -> UNREACHABLE;
      default -> FAILED;
    };
  }

  /** The list for a command's help. */
  public static Map<String, String> forHelp() {
    Map<String, String> list = new LinkedHashMap<>();
    for (ExitCode code : values()) {
      list.put(" " + code.number, code.meaning);
    }
    return list;
  }
}
