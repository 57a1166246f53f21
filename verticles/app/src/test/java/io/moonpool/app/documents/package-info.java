/**
 * Documents that cannot grow old: what they show is run, and what they say about the command line
 * is parsed. Runs on the test's thread; shells and servers are processes of their own.
 */
package io.moonpool.app.documents;
