/**
 * The messages of Mooncake's master: what its C++ clients send and expect, each described once. The
 * frames are the same as those of Moonpool's own calls; function ids tell the calls apart.
 *
 * <p>Enumerations are kept as the numbers on the wire, since the reference accepts any: whoever
 * carries a call out judges them. Descriptions and records are immutable; any thread may use them.
 */
@NullMarked
package io.moonpool.protocol.mooncake;

import org.jspecify.annotations.NullMarked;
