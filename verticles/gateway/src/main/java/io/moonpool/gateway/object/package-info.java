/** How the gateway knows an object again that a call of a client names. Any thread. */
@NullMarked
package io.moonpool.gateway.object;

import org.jspecify.annotations.NullMarked;
