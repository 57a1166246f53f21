/**
 * The master on the event bus, for other Vert.x services in this process or, when the bus is
 * clustered, in others. It owns no state: a body is decoded, handed to {@link
 * io.moonpool.master.MasterOperations} and the answer encoded. Runs on the event loop of the
 * verticle that listens; events are published on the loop where they happen.
 */
@NullMarked
package io.moonpool.master.bus;

import org.jspecify.annotations.NullMarked;
