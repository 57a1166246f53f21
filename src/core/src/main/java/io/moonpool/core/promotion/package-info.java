/**
 * Which objects are worth a copy in memory: those that only a disk has and that are read again and
 * again. Plain state machines; each belongs to one metadata loop, time is an argument.
 */
@NullMarked
package io.moonpool.core.promotion;

import org.jspecify.annotations.NullMarked;
