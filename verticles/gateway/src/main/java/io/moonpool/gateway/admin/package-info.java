/**
 * The paths of Mooncake's admin HTTP server, beside the master's own, and its metrics. Runs on the
 * event loop of the HTTP interface; metrics are written on its worker.
 */
@NullMarked
package io.moonpool.gateway.admin;

import org.jspecify.annotations.NullMarked;
