/**
 * Frames on TCP: a server and a client for Vert.x, made of Netty handlers that also work on a plain
 * Netty pipeline. Replies are matched by sequence number, so calls may be pipelined and are
 * answered as they complete.
 *
 * <p>Each connection, server or client belongs to one event loop, and all its state to that loop's
 * thread; methods that other threads may call say so.
 */
@NullMarked
package io.moonpool.protocol.frame;

import org.jspecify.annotations.NullMarked;
