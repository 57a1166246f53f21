/**
 * The HTTP interface for people and monitoring: REST under {@code /api/v1}, health, metrics. It
 * owns no state: a request is decoded, handed to {@link io.moonpool.master.MasterOperations} and
 * the answer encoded. Runs on the event loop of {@link io.moonpool.master.admin.AdminVerticle}.
 */
@NullMarked
package io.moonpool.master.admin;

import org.jspecify.annotations.NullMarked;
