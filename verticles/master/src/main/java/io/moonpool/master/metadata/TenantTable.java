package io.moonpool.master.metadata;

import io.moonpool.master.MasterConfig;
import io.moonpool.model.ErrorCode;
import io.moonpool.model.StoreException;
import io.moonpool.model.Tenants;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
  private final List<String> names = new ArrayList<>();

  TenantTable(MasterConfig config) {
    multiTenants = config.multiTenants();
    names.add(Tenants.DEFAULT);
    for (String tenant : config.tenants()) {
      registered.computeIfAbsent(
          tenant,
          name -> {
            if (name.equals(Tenants.DEFAULT)) {
              return DEFAULT_NUMBER;
            }
            names.add(name);
            return names.size() - 1;
          });
    }
  }

  /**
   * The tenant that a call reads, removes or ends in; {@link #NOBODY} when nothing can be there.
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
    return names.get(number);
  }
}
