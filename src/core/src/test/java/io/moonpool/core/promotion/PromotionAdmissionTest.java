package io.moonpool.core.promotion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.moonpool.core.promotion.PromotionAdmission.Decision;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PromotionAdmissionTest {
  private static final byte[] KEY = {1, 2};

  private final PromotionAdmission admission = new PromotionAdmission(2, 2);
  private long now = 1000;

  private Decision read(long hash, boolean room) {
    return admission.read(0, KEY, 0, KEY.length, hash, room, now);
  }

  private List<Long> retry(int atMost, boolean room, boolean settled) {
    List<Long> tried = new ArrayList<>();
    admission.retry(
        atMost,
        room,
        now,
        candidate -> {
          assertThat(candidate.key()).isEqualTo(KEY);
          tried.add(candidate.hash());
          return settled;
        });
    return tried;
  }

  @Test
  void theSecondReadIsAdmitted() {
    assertThat(read(5, true)).isEqualTo(Decision.RARE);
    assertThat(read(5, true)).isEqualTo(Decision.ADMIT);
    assertThat(admission.candidates()).isZero();
  }

  @Test
  void withoutRoomItIsTriedAgainLaterAndLater() {
    read(5, false);
    assertThat(read(5, false)).isEqualTo(Decision.LATER);
    assertThat(read(5, false)).as("once").isEqualTo(Decision.LATER);
    assertThat(admission.candidates()).isEqualTo(1);
    assertThat(retry(9, true, false)).as("not at once").isEmpty();
    now += 10;
    assertThat(retry(9, false, false)).as("no room yet").isEmpty();
    assertThat(retry(9, true, false)).containsExactly(5L);
    now += 19;
    assertThat(retry(9, true, false)).isEmpty();
    now += 1;
    assertThat(retry(9, true, true)).containsExactly(5L);
    assertThat(admission.candidates()).isZero();
  }

  @Test
  void aCandidateIsForgottenAfterEightAttemptsOrAMinute() {
    read(5, false);
    read(5, false);
    int tried = 0;
    for (int i = 0; i < 40; i++) {
      now += 1000;
      tried += retry(9, true, false).size();
    }
    assertThat(tried).isEqualTo(8);
    assertThat(admission.candidates()).isZero();
    read(6, false);
    read(6, false);
    now += 60_000;
    assertThat(retry(9, false, false)).isEmpty();
    assertThat(admission.candidates()).isZero();
  }

  @Test
  void onlySoManyAreUnderWay() {
    admission.started();
    admission.started();
    read(5, true);
    assertThat(read(5, true)).isEqualTo(Decision.LATER);
    now += 10;
    assertThat(retry(9, true, true)).isEmpty();
    admission.ended();
    assertThat(retry(9, true, true)).containsExactly(5L);
    assertThat(read(5, true)).isEqualTo(Decision.ADMIT);
    assertThat(admission.underWay()).isEqualTo(1);
  }

  @Test
  void candidatesAreBounded() {
    for (long hash = 1; hash <= PromotionAdmission.MAX_CANDIDATES + 10; hash++) {
      read(hash * 0x9E37_79B9_7F4A_7C15L, false);
      read(hash * 0x9E37_79B9_7F4A_7C15L, false);
    }
    assertThat(admission.candidates()).isEqualTo(PromotionAdmission.MAX_CANDIDATES);
    now += 10;
    assertThat(retry(128, true, true)).hasSize(128);
    assertThat(admission.candidates()).isEqualTo(PromotionAdmission.MAX_CANDIDATES - 128);
  }

  @Test
  void badSettingsAreRefused() {
    assertThatThrownBy(() -> new PromotionAdmission(0, 1)).hasMessageContaining("1 to 255");
    assertThatThrownBy(() -> new PromotionAdmission(256, 1)).hasMessageContaining("256");
    assertThatThrownBy(() -> new PromotionAdmission(2, 0)).hasMessageContaining("at least 1");
  }
}
