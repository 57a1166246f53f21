/**
 * The scan that finds out at start what a disk holds. It reads index files and tombstones, never
 * values, so its cost is linear in the bytes of the indexes. One worker thread, before the store is
 * used.
 *
 * <p>What it does with each file:
 *
 * <table>
 * <caption>Files of a disk directory at start</caption>
 * <tr><td>index and data file, both whole<td>a bucket
 * <tr><td>index that does not match its checksum<td>set aside with its data file
 * <tr><td>index whose data file is missing or too short<td>set aside with what there is
 * <tr><td>data file without an index<td>never acknowledged: deleted
 * <tr><td>file whose name ends with {@code .tmp}<td>never acknowledged: deleted
 * <tr><td>{@code .evicting} index, and its data file<td>an eviction that had begun: deleted
 * <tr><td>anything else<td>left alone, counted
 * </table>
 *
 * <p>Set aside means: moved into {@code damaged/}, and never deleted by Moonpool.
 */
@NullMarked
package io.moonpool.storage.recovery;

import org.jspecify.annotations.NullMarked;
