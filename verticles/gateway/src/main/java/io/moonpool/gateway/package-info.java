/**
 * The wire gateway: unmodified clients of Mooncake use this master. Their calls arrive on the main
 * port, on its listeners' event loops; each is decoded, carried out through the master's own
 * operations, and answered in their words.
 */
@NullMarked
package io.moonpool.gateway;

import org.jspecify.annotations.NullMarked;
