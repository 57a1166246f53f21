/**
 * What this machine can and cannot do for Moonpool, and what to do about it. Everything blocks and
 * runs on the thread of the command that asks; nothing is changed on the machine, but for a file in
 * the directory of a disk that is deleted at once.
 */
@NullMarked
package io.moonpool.app.doctor;

import org.jspecify.annotations.NullMarked;
