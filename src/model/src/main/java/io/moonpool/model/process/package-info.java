/** What a process tells about itself. Any thread may ask. */
@NullMarked
package io.moonpool.model.process;

import org.jspecify.annotations.NullMarked;
