package io.moonpool.bench.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the clients of a load saw.
 *
 * @param byKey the operations on each key, in the order of their completion
 * @param outcomes how many operations ended how: {@code get OK}, {@code upsert RPC_TIMEOUT}, …
 * @param corrupt values that nobody wrote, one sentence each
 */
public record History(
    Map<String, List<Operation>> byKey, Map<String, Long> outcomes, List<String> corrupt) {

  /** Copies what it is given. */
  public History {
    Map<String, List<Operation>> copy = new TreeMap<>();
    byKey.forEach((key, operations) -> copy.put(key, List.copyOf(operations)));
    byKey = copy;
    outcomes = new TreeMap<>(outcomes);
    corrupt = List.copyOf(corrupt);
  }

  /** How many operations were recorded; failed reads, which tell nothing, are not. */
  public int size() {
    return byKey.values().stream().mapToInt(List::size).sum();
  }

  /**
   * Checks every key for linearizability, and for values that nobody wrote.
   *
   * @return one sentence per violation; empty when there is none
   */
  public List<String> violations() {
    List<String> found = new ArrayList<>(corrupt);
    byKey.forEach(
        (key, operations) ->
            LinearizabilityChecker.firstUnexplained(operations)
                .ifPresent(
                    stuck -> found.add(key + ": no order of the operations explains " + stuck)));
    return found;
  }

  /**
   * This history with one read that returned, after everything else, the value that a later write
   * had replaced: what a stale cache would do. Empty when no key was written twice.
   */
  public Optional<History> withPlantedStaleRead() {
    for (Map.Entry<String, List<Operation>> entry : byKey.entrySet()) {
      List<Operation> writes =
          entry.getValue().stream()
              .filter(o -> o.known() && o.kind() == Operation.Kind.WRITE)
              .toList();
      if (writes.size() < 2) {
        continue;
      }
      Operation first = writes.getFirst();
      boolean replaced = writes.stream().anyMatch(later -> later.callNanos() > first.returnNanos());
      if (!replaced) {
        continue;
      }
      long end =
          entry.getValue().stream()
              .filter(Operation::known)
              .mapToLong(Operation::returnNanos)
              .max()
              .orElse(first.returnNanos());
      List<Operation> planted = new ArrayList<>(entry.getValue());
      planted.add(new Operation(-1, Operation.Kind.READ, first.value(), end + 1, end + 2, true));
      Map<String, List<Operation>> changed = new TreeMap<>(byKey);
      changed.put(entry.getKey(), planted);
      return Optional.of(new History(changed, outcomes, corrupt));
    }
    return Optional.empty();
  }
}
