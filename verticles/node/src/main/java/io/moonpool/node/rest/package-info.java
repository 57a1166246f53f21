/**
 * REST for people and scripts: put, get, look at and remove objects, health and metrics. One event
 * loop serves the requests and runs the client that they use; bodies pass through bounded staging
 * memory outside the heap.
 */
@NullMarked
package io.moonpool.node.rest;

import org.jspecify.annotations.NullMarked;
