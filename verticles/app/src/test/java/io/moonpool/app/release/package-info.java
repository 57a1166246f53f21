/** What is released: the jar's dates, and what it tells about itself. Runs on the test's thread. */
package io.moonpool.app.release;
