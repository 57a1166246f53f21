package io.moonpool.app.doctor;

/** Lists of processors as the kernel writes them: {@code 0-3,8}. */
final class CpuList {
  private CpuList() {}

  /** How many processors a list names; 0 when it is none. */
  static int size(String list) {
    int count = 0;
    for (String range : list.split(",", -1)) {
      String[] ends = range.trim().split("-", -1);
      try {
        int first = Integer.parseInt(ends[0]);
        int last = ends.length > 1 ? Integer.parseInt(ends[1]) : first;
        count += Math.max(0, last - first + 1);
      } catch (NumberFormatException e) {
        return 0;
      }
    }
    return count;
  }
}
