import { beforeAll, describe, expect, test } from "vitest";
import { EXPECTED_READINGS } from "../../../testing/lorawan/expected-readings.ts";
import { readVectors } from "../../../testing/lorawan/vectors.ts";
import { BUNDLED_PROFILES, loadProfiles, type Profiles } from "./load-profiles.ts";
import { applyProfile } from "./profile.ts";

const NOW = Date.UTC(2026, 10, 21, 3, 0, 0);
const vectors = readVectors();

let profiles: Profiles;
beforeAll(async () => {
  profiles = await loadProfiles([BUNDLED_PROFILES]);
});

describe("[uplink] bundled profiles", () => {
  test("[uplink] includes at least fifteen, and tests each on every vector of its device", () => {
    expect(profiles.size).toBeGreaterThanOrEqual(15);
    expect(new Set(EXPECTED_READINGS.map(({ profile }) => profile))).toEqual(new Set(profiles.keys()));
    const tried = new Set(EXPECTED_READINGS.map(({ vector }) => vector));
    const untried = vectors.filter(({ id, decoded }) => decoded && !tried.has(id));
    expect(untried).toEqual([]);
  });

  test.each(EXPECTED_READINGS)("[uplink] $vector as $type", (expected) => {
    const profile = profiles.get(expected.profile);
    const vector = vectors.find(({ id }) => id === expected.vector);
    if (!profile || !vector?.decoded) throw new Error(`${expected.profile} or ${expected.vector} is missing`);
    const uplink = { decoded: vector.decoded, at: NOW - 2_000, battery: null };
    const { readings, faults } = applyProfile(profile, uplink, expected.type, NOW);
    expect(faults.map(({ field }) => field)).toEqual(expected.faults ?? []);
    if (expected.fields === null) return expect(readings).toEqual([]);
    expect(readings).toHaveLength(1);
    expect(readings[0]?.at).toBe(expected.at ?? NOW - 2_000);
    const fields = new Map<string, number>(Object.entries(readings[0]?.fields ?? {}));
    expect([...fields.keys()].sort()).toEqual(Object.keys(expected.fields).sort());
    for (const [name, value] of Object.entries(expected.fields))
      expect(fields.get(name)).toBeCloseTo(value, 8);
  });
});
