package io.moonpool.transfer;

import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.TrustOptions;
import org.jspecify.annotations.Nullable;

/**
 * TLS on data connections.
 *
 * @param key certificate and key of this process; needed to serve, and to connect to servers that
 *     ask for a certificate
 * @param trust whom to trust; null for the JDK's own authorities
 * @param requireClientCertificate whether the server refuses clients without a trusted certificate
 * @param verifyHost whether a client checks that the certificate names the host it connects to
 */
public record TransferTls(
    @Nullable KeyCertOptions key,
    @Nullable TrustOptions trust,
    boolean requireClientCertificate,
    boolean verifyHost) {}
