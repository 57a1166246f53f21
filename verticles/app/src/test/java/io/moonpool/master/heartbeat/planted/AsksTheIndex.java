package io.moonpool.master.heartbeat.planted;

import io.moonpool.core.index.ObjectIndex;

/** A violation: a ping that looks at objects. */
public final class AsksTheIndex {
  Class<?> what() {
    return ObjectIndex.class;
  }
}
