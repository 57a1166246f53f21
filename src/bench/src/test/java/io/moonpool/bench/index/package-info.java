/** The index without anything around it, under JMH. One thread. */
package io.moonpool.bench.index;
