package io.moonpool.master.metadata;

import io.moonpool.master.MasterConfig;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.model.Tenants;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The small numbers of the tenants, part of every key in the index. Fixed when the master starts,
 * so requests that name tenants at random cannot make it grow. Immutable; any thread.
 */
final class TenantTable {
  /** The number of a valid tenant that has nothing stored. */
  static final int NOBODY = -1;

  private static final int DEFAULT_NUMBER = 0;

  private final boolean multiTenants;
  private final Map<String, Integer> registered = new HashMap<>();
  private final Map<Integer, String> names = new TreeMap<>();
  private final Map<Integer, String> added = new TreeMap<>();

  /**
   * The tenants of a configuration. Those that had a number keep it, since it is part of the hash
   * of their keys, which outlives the process.
   *
   * @param numbered the names of tenants that have a number
   */
  TenantTable(MasterConfig config, Map<Integer, String> numbered) {
    multiTenants = config.multiTenants();
    names.putAll(numbered);
    names.put(DEFAULT_NUMBER, Tenants.DEFAULT);
    Map<String, Integer> numbers = new HashMap<>();
    names.forEach((number, name) -> numbers.put(name, number));
    int last = Collections.max(names.keySet());
    for (String tenant : config.tenants()) {
      Integer number = numbers.get(tenant);
      if (number == null) {
        number = ++last;
        numbers.put(tenant, number);
        names.put(number, tenant);
        added.put(number, tenant);
      }
      registered.put(tenant, number);
    }
  }

  /** The tenants that got a number just now. */
  Map<Integer, String> added() {
    return added;
  }

  /**
   * The tenant that a call reads or ends in; {@link #NOBODY} when nothing can be there.
   *
   * @throws StoreException INVALID_PARAMS when it is no tenant name
   */
  int reader(String tenant) {
    if (!multiTenants) {
      return DEFAULT_NUMBER;
    }
    String name = Tenants.orDefault(tenant);
    if (!Tenants.isValid(name)) {
      throw new StoreException(
          ErrorCode.INVALID_PARAMS,
          "a tenant must not start with '_' nor hold control characters: correct its name");
    }
    return name.equals(Tenants.DEFAULT) ? DEFAULT_NUMBER : registered.getOrDefault(name, NOBODY);
  }

  /**
   * The tenant that a call removes in; {@link #NOBODY} when nothing can be there now nor later. One
   * that is not registered any more may be again, and disks may hold what it had.
   *
   * @throws StoreException INVALID_PARAMS when it is no tenant name
   */
  int remover(String tenant) {
    int number = reader(tenant);
    if (number != NOBODY) {
      return number;
    }
    for (Map.Entry<Integer, String> known : names.entrySet()) {
      if (known.getValue().equals(tenant)) {
        return known.getKey();
      }
    }
    return NOBODY;
  }

  /**
   * The tenant that a call starts to write in.
   *
   * @throws StoreException TENANT_NOT_REGISTERED
   */
  int writer(String tenant) {
    if (!multiTenants) {
      return DEFAULT_NUMBER;
    }
    Integer number = registered.get(tenant);
    if (number == null) {
      throw new StoreException(
          ErrorCode.TENANT_NOT_REGISTERED,
          "tenant '" + tenant + "' is not registered: add it to the setting 'tenants'");
    }
    return number;
  }

  /** The name of a tenant that has objects. */
  String name(int number) {
    return names.getOrDefault(number, "");
  }
}
