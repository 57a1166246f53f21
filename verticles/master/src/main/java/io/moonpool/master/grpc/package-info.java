/**
 * The master over gRPC, for admin tools and other languages. It owns no state: a message is
 * decoded, handed to {@link io.moonpool.master.MasterOperations} and the answer encoded. Runs on
 * the event loop of {@link io.moonpool.master.grpc.GrpcVerticle}.
 */
@NullMarked
package io.moonpool.master.grpc;

import org.jspecify.annotations.NullMarked;
