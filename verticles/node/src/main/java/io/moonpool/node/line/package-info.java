/**
 * How a node's verticles ask the master for as long as a mount lasts, and what they remember of its
 * answers. Each line belongs to the event loop of the verticle that made it.
 */
@NullMarked
package io.moonpool.node.line;

import org.jspecify.annotations.NullMarked;
