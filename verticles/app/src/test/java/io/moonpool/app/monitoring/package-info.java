/**
 * The dashboard and the alert rules of {@code conf/monitoring}, checked against what a running
 * master and a running node serve. Runs on the test's thread; servers are processes of their own.
 */
package io.moonpool.app.monitoring;
