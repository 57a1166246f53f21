/**
 * The dashboard: the files of the page, and the feed that it shows. The page calls the same REST
 * interface as everybody else for what it changes. Runs on the event loop of {@link
 * io.moonpool.master.admin.AdminVerticle}, away from the heartbeat.
 */
@NullMarked
package io.moonpool.master.admin.dashboard;

import org.jspecify.annotations.NullMarked;
