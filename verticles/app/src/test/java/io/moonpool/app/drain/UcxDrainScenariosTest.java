package io.moonpool.app.drain;

import io.moonpool.ucx.UcxLibrary;
import io.moonpool.ucx.UcxUnavailableException;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;

/** The same with all bytes moved through UCX. */
class UcxDrainScenariosTest extends DrainScenariosTest {
  @BeforeAll
  static void requireLibrary() {
    try {
      UcxLibrary.load();
    } catch (UcxUnavailableException e) {
      Assumptions.abort(e.getMessage());
    }
  }

  @Override
  String transport() {
    return "ucx";
  }
}
