/**
 * The messages of Moonpool's hot calls, one immutable record each, in the order in which they are
 * serialised. Any thread may use them.
 */
@NullMarked
package io.moonpool.protocol.call;

import org.jspecify.annotations.NullMarked;
