/**
 * The main port: frames are decoded, routed to the owners of what they ask about, and their answers
 * encoded. Owns no state. Runs on the metadata loops, so that most calls need no other thread.
 */
@NullMarked
package io.moonpool.master.api;

import org.jspecify.annotations.NullMarked;
