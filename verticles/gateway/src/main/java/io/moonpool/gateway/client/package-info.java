/**
 * Which clients of Mooncake are registered as nodes of this master. Read and changed on any of the
 * main port's event loops.
 */
@NullMarked
package io.moonpool.gateway.client;

import org.jspecify.annotations.NullMarked;
