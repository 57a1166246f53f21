/**
 * The master's event loops: which there are, how verticles get onto one of them, and how work on
 * them is bounded. Each class says which thread runs it; most belong to the one loop that they
 * serve.
 */
@NullMarked
package io.moonpool.master.loop;

import org.jspecify.annotations.NullMarked;
