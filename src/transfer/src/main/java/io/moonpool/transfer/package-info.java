/**
 * Registered memory and one-sided put and get over interchangeable transports. Futures complete on
 * the context that called; bytes move on the transport's own threads.
 */
@NullMarked
package io.moonpool.transfer;

import org.jspecify.annotations.NullMarked;
