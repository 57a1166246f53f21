/**
 * Values of any size: what is larger than a part is stored as numbered parts, objects of their own,
 * and a manifest under the value's key that lists them.
 *
 * <p><b>Format.</b> The manifest is JSON ({@link io.moonpool.client.parts.Manifest}). The parts of
 * the value {@code key} are the objects {@code key.part-<upload>-<number>}: the upload is 16 random
 * hexadecimal digits, so that a new value never touches the parts of the old one; the number has at
 * least five decimal digits. All parts but the last have the part size. They form one group, so
 * that a read of one keeps all from being evicted.
 *
 * <p>A manifest is told from a value by an attribute of the object, not by its bytes: its checksum
 * has the kind {@link io.moonpool.model.ChecksumKind#MANIFEST}, which only this package sets. So no
 * value is taken for a manifest, whatever its bytes are, and {@link
 * io.moonpool.client.MoonpoolClient#get} never returns a manifest as a value.
 *
 * <p>The manifest is written last and replaced at once: a value is visible whole or not at all. The
 * parts of a writer that dies before are invisible, and are evicted like any object that nobody
 * reads. A value of which a part was evicted counts as not there.
 *
 * <p>Any thread may call; files are read and written, and memory is allocated, on a named worker
 * executor.
 */
@NullMarked
package io.moonpool.client.parts;

import org.jspecify.annotations.NullMarked;
