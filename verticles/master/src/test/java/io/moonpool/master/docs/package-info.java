/**
 * The pages of {@code docs/} about a master's interfaces are held against the code and a master.
 */
package io.moonpool.master.docs;
