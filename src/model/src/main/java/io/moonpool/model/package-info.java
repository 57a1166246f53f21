/**
 * Identifiers, descriptors and the error table: immutable records without behaviour of their own.
 * Any thread may use them.
 */
@NullMarked
package io.moonpool.model;

import org.jspecify.annotations.NullMarked;
