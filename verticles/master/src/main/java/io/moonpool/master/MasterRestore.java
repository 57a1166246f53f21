package io.moonpool.master;

/** What a master knows again from an earlier life, before it serves. */
@FunctionalInterface
public interface MasterRestore {
  /** Nothing. */
  MasterRestore NOTHING = pool -> {};

  /**
   * Puts segments and objects into the index. Called once, on a thread that may block, after the
   * master was made and before any of its loops runs or any of its ports is open.
   */
  void fill(RestoredPool pool);
}
