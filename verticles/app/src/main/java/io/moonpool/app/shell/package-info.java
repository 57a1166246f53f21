/**
 * How commands meet whoever runs them: exit codes, failures that are shown without a stack trace,
 * whether there is a terminal. Any thread.
 */
@NullMarked
package io.moonpool.app.shell;

import org.jspecify.annotations.NullMarked;
