/** What the HTTP interfaces of masters and nodes have in common. Any thread may use it. */
@NullMarked
package io.moonpool.protocol.http;

import org.jspecify.annotations.NullMarked;
