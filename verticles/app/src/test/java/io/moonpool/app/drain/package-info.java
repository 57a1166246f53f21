/**
 * Whole drains: a master, nodes with memory and a disk, and clients, over real sockets and files.
 */
package io.moonpool.app.drain;
