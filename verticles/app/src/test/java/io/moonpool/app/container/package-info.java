/**
 * The container image and the files that start it. No engine is needed: the image is made by the
 * script that the Dockerfile runs too, and its containers are namespaces of the kernel. Runs on the
 * test's thread; what is in a container is a process of its own.
 */
package io.moonpool.app.container;
