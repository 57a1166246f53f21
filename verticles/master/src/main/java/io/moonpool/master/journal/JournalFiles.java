package io.moonpool.master.journal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The files of a journal's directory, so that tests can stand between the journal and the disk.
 * Blocks; one thread at a time.
 */
interface JournalFiles extends Closeable {
  /** A file that is written at its end. */
  interface Appender extends Closeable {
    /** Writes all of it. */
    void write(ByteBuffer bytes) throws IOException;

    /** Makes content and length durable. */
    void force() throws IOException;
  }

  /** The names of the files. */
  List<String> list() throws IOException;

  /** The content of a file. */
  ByteBuffer read(String name) throws IOException;

  /** Creates an empty file in place of what has that name. */
  Appender create(String name) throws IOException;

  /** Cuts a file off there and goes on behind it. */
  Appender openAt(String name, long length) throws IOException;

  /** Gives a file another name, in one step. */
  void rename(String from, String to) throws IOException;

  void delete(String name) throws IOException;

  /** Makes names durable. */
  void forceNames() throws IOException;

  /** What people call the file. */
  String describe(String name);
}
