package io.moonpool.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TenantsTest {
  @Test
  void namesAreCheckedByteByByte() {
    assertThat(Tenants.isValid("default")).isTrue();
    assertThat(Tenants.isValid("tenänt 1")).isTrue();
    assertThat(Tenants.isValid("")).isFalse();
    assertThat(Tenants.isValid("_system")).isFalse();
    assertThat(Tenants.isValid("a\nb")).isFalse();
    assertThat(Tenants.isValid("a\u007f")).isFalse();
  }

  @Test
  void noTenantMeansTheDefaultOne() {
    assertThat(Tenants.orDefault("")).isEqualTo("default");
    assertThat(Tenants.orDefault("t")).isEqualTo("t");
  }
}
