package io.moonpool.master.admin;

import io.moonpool.master.CallTimes;
import io.moonpool.master.MasterCall;
import io.moonpool.master.MasterStats;
import io.moonpool.master.drain.DrainCounts;
import io.moonpool.master.loop.HandlerMeter.Longest;
import io.moonpool.model.ClientState;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** Figures that tests can tell apart, and a clock that they can stop. */
public final class FakeStats implements MasterStats {
  public final AtomicBoolean clockStands = new AtomicBoolean();

  @Override
  public Snapshot snapshot() {
    Map<MasterCall, CallCounts> calls = new EnumMap<>(MasterCall.class);
    for (MasterCall call : MasterCall.values()) {
      calls.put(call, new CallCounts(call.ordinal() + 1, 100 + call.ordinal(), 0, 0));
    }
    calls.put(MasterCall.LOCATE, new CallCounts(11, 12, 13, 14));
    return new Snapshot(
        calls,
        1_001,
        new IndexFigures(303, 202),
        2_002,
        1 << 20,
        3_003,
        4_004,
        5_005,
        6_006,
        new OffloadFigures(101, 102, 103, 104, 105, 106),
        new PromotionFigures(71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82),
        7_007,
        Map.of(ClientState.ACTIVE, 3, ClientState.SUSPECTED, 2, ClientState.OFFLINE, 1),
        8,
        9,
        10,
        11,
        new JournalFigures(true, 61, 62, 63, 64, 65),
        new DrainCounts.Figures(71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86),
        new FrameCounts(41, 42, 43, 44, 45, 46, 47, 48, 49, 50),
        Map.of("grpc", new PortCounts(51, 52, 0), "heartbeat", new PortCounts(53, 54, 55)),
        new LivenessFigures(91_500, true, 92, 93, 94, 95, 96),
        List.of(
            new LoopCounts("metadata-0", 21, 22, List.of(new Longest("find", 23_000_000)), 24),
            new LoopCounts("metadata-1", 31, 32, List.of(new Longest("walk", 33_000_000)), 34)));
  }

  @Override
  public CallTimes times(MasterCall call) {
    return CallTimes.NONE;
  }

  @Override
  public long observedMillis() {
    return clockStands.get() ? 5_000 : System.nanoTime() / 1_000_000;
  }
}
