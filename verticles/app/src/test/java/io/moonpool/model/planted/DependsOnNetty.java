package io.moonpool.model.planted;

import io.netty.buffer.ByteBuf;

/** A violation: the model depends on the JDK only. */
public record DependsOnNetty(ByteBuf bytes) {}
