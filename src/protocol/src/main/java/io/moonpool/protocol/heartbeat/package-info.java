/**
 * The frames of the heartbeat port: the heartbeat's own, and those of Mooncake's clients that are
 * served beside it. Fixed sizes, encoded and decoded in place without an allocation. Runs on the
 * reserved loop of the master's heartbeat server and on the sender's loop of a node.
 */
@NullMarked
package io.moonpool.protocol.heartbeat;

import org.jspecify.annotations.NullMarked;
