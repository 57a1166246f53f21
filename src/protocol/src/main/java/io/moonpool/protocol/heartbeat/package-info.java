/**
 * The heartbeat's own frame: fixed size in both directions, encoded and decoded in place without an
 * allocation. Runs on the reserved loop of the master's heartbeat server and on the sender's loop
 * of a node.
 */
@NullMarked
package io.moonpool.protocol.heartbeat;

import org.jspecify.annotations.NullMarked;
