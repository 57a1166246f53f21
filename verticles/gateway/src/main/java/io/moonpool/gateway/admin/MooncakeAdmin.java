package io.moonpool.gateway.admin;

import io.moonpool.gateway.handler.RemovalHandlers;
import io.moonpool.gateway.segment.Replicas;
import io.moonpool.master.MasterContext;
import io.moonpool.master.admin.AdminAddition;
import io.moonpool.master.admin.Route;
import java.util.ArrayList;
import java.util.List;

/** What the HTTP interface of a master serves for those who know Mooncake's. */
public final class MooncakeAdmin {
  private MooncakeAdmin() {}

  /**
   * Paths and metrics.
   *
   * @param replicas tells where replicas are
   * @param calls what is counted on the main port
   */
  public static AdminAddition of(MasterContext master, Replicas replicas, CallCounts calls) {
    List<Route> routes = new ArrayList<>();
    routes.addAll(new ServicePaths(master.operations(), master.stats()).routes());
    routes.addAll(new KeyPaths(master.operations(), replicas).routes());
    routes.addAll(new SegmentPaths(master.operations()).routes());
    routes.addAll(new DrainPaths(master.drains()).routes());
    routes.addAll(
        new TenantPaths(new RemovalHandlers(master.config(), master.operations())).routes());
    return new AdminAddition(routes, new MooncakeMetrics(calls));
  }
}
