/**
 * The copies and moves that Mooncake's clients carry out: their calls name an object, the master's
 * name a task or a version. Any of the main port's event loops.
 */
@NullMarked
package io.moonpool.gateway.transfer;

import org.jspecify.annotations.NullMarked;
