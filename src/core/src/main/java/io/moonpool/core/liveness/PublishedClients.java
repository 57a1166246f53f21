package io.moonpool.core.liveness;

/**
 * Where loops find the current {@link ClientView}. The monitor's loop publishes, any thread reads;
 * nobody waits.
 */
public final class PublishedClients {
  private volatile ClientView current = ClientView.EMPTY;

  /** Only {@link ClientRegistry} makes these. */
  PublishedClients() {}

  /** The view to use now. Keep it for one ping, not longer. */
  public ClientView current() {
    // Volatile read: pairs with the write in publish(), so the slots of the view are whole.
    return current;
  }

  void publish(ClientView next) {
    current = next;
  }
}
