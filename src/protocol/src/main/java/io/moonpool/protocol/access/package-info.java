/**
 * Who may reach a port: addresses to listen on, bearer tokens, TLS files. Immutable; validated once
 * by the thread that starts a process, then used from any event loop.
 */
@NullMarked
package io.moonpool.protocol.access;

import org.jspecify.annotations.NullMarked;
