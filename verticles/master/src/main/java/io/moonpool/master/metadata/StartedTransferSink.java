package io.moonpool.master.metadata;

import io.moonpool.core.index.ObjectView;
import io.moonpool.core.index.TransferSink;
import io.moonpool.core.index.TransferTarget;
import io.moonpool.model.TaskType;
import io.moonpool.protocol.call.ReplicaSource;
import io.moonpool.protocol.call.ReplicaTarget;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Takes the transfers that the index of a loop starts, as values to be handed on. */
final class StartedTransferSink implements TransferSink {
  private final TenantTable tenants;
  private final TaskType type;
  private final boolean isDrain;
  private @Nullable StartedTransfer last;

  StartedTransferSink(TenantTable tenants, TaskType type, boolean isDrain) {
    this.tenants = tenants;
    this.type = type;
    this.isDrain = isDrain;
  }

  @Override
  public void started(UUID task, ObjectView object, Source source, List<TransferTarget> targets) {
    last =
        new StartedTransfer(
            task,
            type,
            isDrain,
            ObjectForNodes.of(object, tenants),
            new ReplicaSource(source.type(), source.generation(), source.offset()),
            targets.stream()
                .map(t -> new ReplicaTarget(t.replicaId(), t.generation(), t.offset()))
                .toList());
  }

  /**
   * The transfer that was started last.
   *
   * @throws IllegalStateException when there was none, which is a bug
   */
  StartedTransfer last() {
    StartedTransfer started = last;
    if (started == null) {
      throw new IllegalStateException("no transfer was started");
    }
    return started;
  }
}
