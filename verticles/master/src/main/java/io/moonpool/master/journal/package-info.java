/**
 * What a master must still know after a restart: its epoch, the numbers of the tenants, the disks,
 * and the floors that say which records on them are dead. All else it learns again from its nodes.
 *
 * <p>{@link io.moonpool.master.journal.Journal} is the way in; any thread may append. {@link
 * io.moonpool.master.journal.FileJournal} has one thread of its own that writes and forces for all
 * who wait at that time; {@link io.moonpool.master.journal.MemoryJournal} forgets. Futures complete
 * on the journal's thread: go back to your own loop before you touch its state.
 */
@NullMarked
package io.moonpool.master.journal;

import org.jspecify.annotations.NullMarked;
