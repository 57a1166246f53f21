/** The dashboard in a browser, against a cluster of processes. */
package io.moonpool.app.dashboard;
