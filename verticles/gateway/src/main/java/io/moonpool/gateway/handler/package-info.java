/**
 * The handlers of Mooncake's calls, one class for each kind. They run on the event loop of the
 * connection and keep no state of their own.
 */
@NullMarked
package io.moonpool.gateway.handler;

import org.jspecify.annotations.NullMarked;
