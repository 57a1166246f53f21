/**
 * The routes of the HTTP interface, one class each. Runs on the event loop of {@link
 * io.moonpool.master.admin.AdminVerticle}.
 */
@NullMarked
package io.moonpool.master.admin.route;

import org.jspecify.annotations.NullMarked;
