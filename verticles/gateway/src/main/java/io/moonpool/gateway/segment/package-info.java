/**
 * Between the master's locations, a mount and an offset, and those of Mooncake's clients, an
 * address and an endpoint. Any of the main port's event loops.
 */
@NullMarked
package io.moonpool.gateway.segment;

import org.jspecify.annotations.NullMarked;
