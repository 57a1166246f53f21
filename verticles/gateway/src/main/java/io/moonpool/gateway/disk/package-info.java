/**
 * The disks of Mooncake's clients: what each was told to do and has not answered yet. Any of the
 * main port's event loops.
 */
@NullMarked
package io.moonpool.gateway.disk;

import org.jspecify.annotations.NullMarked;
