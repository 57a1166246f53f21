package io.moonpool.transfer;

import io.moonpool.libc.AvailableMemory;
import io.moonpool.libc.LibcException;
import io.moonpool.libc.Mapping;
import io.moonpool.libc.SharedMemory;

/**
 * Memory that other processes of this host can map: what {@code shm} needs, and {@code tcp} serves
 * as well. It has no name in any file system and is gone when the last process that maps it is,
 * however that ends.
 *
 * <p>The object holds the data and, on pages of its own behind it, a {@link ControlBlock}.
 */
public final class SharedRegion extends MappedRegion {
  private final Mapping data;
  private final SharedMemory object;
  private final Mapping control;
  private final long controlOffset;

  private SharedRegion(SharedMemory object, Mapping data, Mapping control, long controlOffset) {
    super(data.memory());
    this.data = data;
    this.object = object;
    this.control = control;
    this.controlOffset = controlOffset;
  }

  /**
   * Allocates zeroed memory. Blocks for about a second per few GiB: never on an event loop.
   *
   * @param bytes at least 1
   * @throws io.moonpool.libc.OutOfSpaceException when the memory is not there
   * @throws LibcException when the kernel has no anonymous shared memory
   */
  public static SharedRegion allocate(long bytes) {
    AvailableMemory.require(bytes);
    long controlOffset = Mapping.wholePages(bytes);
    SharedMemory object =
        SharedMemory.create("moonpool-region", Math.addExact(controlOffset, ControlBlock.BYTES));
    try {
      Mapping data = object.map(0, bytes);
      try {
        // Huge pages come by faulting them in; what that leaves out is reserved then.
        data.adviseHugePages();
        data.populate(0, bytes);
        object.reserve();
        data.lock();
        Mapping control = object.map(controlOffset, ControlBlock.BYTES);
        return new SharedRegion(object, data, control, controlOffset);
      } catch (RuntimeException e) {
        data.close();
        throw e;
      }
    } catch (RuntimeException e) {
      object.close();
      throw e;
    }
  }

  /** The descriptor in this process, which peers open. */
  int fd() {
    return object.fd();
  }

  /** Where the control block starts, in bytes from the start of the object. */
  long controlOffset() {
    return controlOffset;
  }

  ControlBlock control() {
    return new ControlBlock(control.memory());
  }

  @Override
  void release() {
    control.close();
    object.close();
    data.close();
  }
}
