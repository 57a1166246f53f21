package io.moonpool.protocol.call;

import java.util.List;
import java.util.UUID;

/**
 * A page of what a node found on its disk after it mounted it.
 *
 * <p>Per item: OK when the master knows it now; OBJECT_NOT_FOUND or INVALID_VERSION when it was
 * removed or overwritten, and must never be reported again; UNAVAILABLE_IN_CURRENT_STATUS while the
 * key is being written: report it once more.
 *
 * @param generation of the disk's mount
 * @param last nothing is left to report
 */
public record ReportDiskObjects(
    UUID nodeId, long incarnation, long generation, List<DiskObject> objects, boolean last) {}
