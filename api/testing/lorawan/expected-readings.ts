import type { Fields } from "../../src/history/reading.ts";

/** The reading of a vector for a device of one type. */
export interface ExpectedReading {
  readonly vector: string;
  readonly profile: string;
  readonly type: string;
  /** The current measurement where `at` is missing; null: the frame has no field of this type. */
  readonly fields: Fields | null;
  /** ms since 1970 UTC, for an earlier measurement. */
  readonly at?: number;
  /** Fields with an impossible value. */
  readonly faults?: readonly string[];
}

// Computed from the codec's output and the units. Batteries of two alkaline cells: (V − 2.0) / 1.2.
export const EXPECTED_READINGS: readonly ExpectedReading[] = [
  {
    vector: "ttn-lse01-0",
    profile: "dragino-lse01",
    type: "SSH",
    fields: { moisture: 19.57, temperature: 24.59, ec: 28.2, battery: 100 },
  },
  {
    vector: "ttn-lse01-0",
    profile: "dragino-lse01",
    type: "SMS",
    fields: { moisture: 19.57, soilTemperature: 24.59, battery: 100 },
  },
  {
    vector: "ttn-lsph01-2",
    profile: "dragino-lsph01",
    type: "SSH",
    fields: { ph: 5.96, temperature: 24.9, battery: 60.5 },
  },
  {
    vector: "ttn-em500-co2-8",
    profile: "milesight-em500-co2",
    type: "CO2",
    fields: { temperature: 30.8, humidity: 50.5, co2: 1_127, pressure: 1_008.8 },
  },
  {
    vector: "ttn-em500-co2-8",
    profile: "milesight-em500-co2",
    type: "LAT",
    fields: { temperature: 30.8, humidity: 50.5, co2: 1_127, pressure: 1_008.8, battery: 92 },
  },
  {
    vector: "ttn-em500-co2-9",
    profile: "milesight-em500-co2",
    type: "LAT",
    fields: { temperature: 27.2, humidity: 56.5, co2: 1_127, pressure: 1_008.8 },
  },
  {
    vector: "ttn-em500-udl-11",
    profile: "milesight-em500-udl",
    type: "WATERLEVEL",
    fields: { l: -3, battery: 92 },
  },
  {
    vector: "ttn-em500-udl-12",
    profile: "milesight-em500-udl",
    type: "WATERLEVEL",
    fields: { l: -3, battery: 100 },
  },
  {
    vector: "ttn-sensecap-s210x-17",
    profile: "sensecap-s210x",
    type: "AT",
    fields: { temperature: 21.4, humidity: 31.4 },
  },
  { vector: "ttn-sensecap-s210x-18", profile: "sensecap-s210x", type: "SMS", fields: { battery: 100 } },
  { vector: "ttn-sensecap-s210x-18", profile: "sensecap-s210x", type: "AT", fields: null },
  { vector: "ttn-sensecap-s210x-19", profile: "sensecap-s210x", type: "SMS", fields: null },
  {
    vector: "cs-decentlab-dl-5tm-0",
    profile: "decentlab-dl-5tm",
    type: "SMS",
    fields: { soilTemperature: 22.5, battery: 97.333333333 },
    faults: ["moisture"],
  },
  {
    vector: "cs-decentlab-dl-5tm-1",
    profile: "decentlab-dl-5tm",
    type: "SMS",
    fields: { battery: 97.333333333 },
  },
  {
    vector: "cs-decentlab-dl-smtp-0",
    profile: "decentlab-dl-smtp",
    type: "SMS",
    fields: { soilTemperature: 27.12, battery: 72.916666667 },
    faults: ["moisture"],
  },
  {
    vector: "cs-decentlab-dl-smtp-1",
    profile: "decentlab-dl-smtp",
    type: "SMS",
    fields: { battery: 72.916666667 },
  },
  {
    vector: "cs-decentlab-dl-trs21-0",
    profile: "decentlab-dl-trs21",
    type: "SOIL",
    fields: { soilTemperature: 16.1, battery: 92.416666667 },
  },
  {
    vector: "cs-decentlab-dl-atm41-0",
    profile: "decentlab-dl-atm41",
    type: "ATS02",
    fields: {
      windD: 29.9,
      windS: 0.09,
      rain: 0,
      temperature: 26.4,
      humidity: 52.4,
      pressure: 959.6,
      battery: 88.416666667,
    },
  },
  {
    vector: "cs-decentlab-dl-atm41-0",
    profile: "decentlab-dl-atm41",
    type: "AT",
    fields: { temperature: 26.4, humidity: 52.4, pressure: 959.6, solar: 10 },
  },
  {
    vector: "cs-decentlab-dl-atm41-1",
    profile: "decentlab-dl-atm41",
    type: "ATS02",
    fields: { battery: 88.416666667 },
  },
  {
    vector: "cs-decentlab-dl-iam-0",
    profile: "decentlab-dl-iam",
    type: "CO2",
    fields: { temperature: 27.678339818, humidity: 36.438544289, pressure: 964.12, co2: 455 },
  },
  {
    vector: "cs-decentlab-dl-iam-1",
    profile: "decentlab-dl-iam",
    type: "LAT",
    fields: { temperature: 27.678339818, humidity: 36.438544289, pressure: 964.12, battery: 80.166666667 },
  },
  {
    vector: "cs-decentlab-dl-ctd10-0",
    profile: "decentlab-dl-ctd10",
    type: "WATERLEVEL",
    fields: { l: 423.2, battery: 97.333333333 },
  },
  {
    vector: "cs-decentlab-dl-ctd10-0",
    profile: "decentlab-dl-ctd10",
    type: "DRAINAGE",
    fields: { waterlevel: 4_232, temperature: 12.9 },
  },
  {
    vector: "cs-decentlab-dl-ctd10-0",
    profile: "decentlab-dl-ctd10",
    type: "NUTRIENT",
    fields: { ec: 0.1, temperature: 12.9, battery: 97.333333333 },
  },
  {
    vector: "cs-decentlab-dl-ctd10-1",
    profile: "decentlab-dl-ctd10",
    type: "WATERLEVEL",
    fields: { battery: 97.333333333 },
  },
  { vector: "cs-decentlab-dl-ctd10-1", profile: "decentlab-dl-ctd10", type: "DRAINAGE", fields: null },
  {
    vector: "cs-decentlab-dl-pr36ctd-0",
    profile: "decentlab-dl-pr36ctd",
    type: "WATERLEVEL",
    fields: { l: 0.871339355, battery: 92.916666667 },
  },
  {
    vector: "cs-decentlab-dl-pr36ctd-0",
    profile: "decentlab-dl-pr36ctd",
    type: "DRAINAGE",
    fields: { waterlevel: 8.713393555, temperature: 23.50390625 },
  },
  {
    vector: "cs-decentlab-dl-pr36ctd-0",
    profile: "decentlab-dl-pr36ctd",
    type: "NUTRIENT",
    fields: { ec: 0.005859375, temperature: 23.50390625, battery: 92.916666667 },
  },
  {
    vector: "cs-decentlab-dl-lid-0",
    profile: "decentlab-dl-lid",
    type: "WATERLEVEL",
    fields: { l: -450.7, battery: 62.416666667 },
  },
  {
    vector: "cs-decentlab-dl-pheht-0",
    profile: "decentlab-dl-pheht",
    type: "NUTRIENT",
    fields: { temperature: 21.14, ph: 7.11, battery: 97 },
  },
  {
    vector: "cs-decentlab-dl-pheht-1",
    profile: "decentlab-dl-pheht",
    type: "NUTRIENT",
    fields: { battery: 97 },
  },
  {
    vector: "cs-decentlab-dl-dlr2-010-0",
    profile: "decentlab-dl-dlr2-010",
    type: "WATERFLOW",
    fields: { flowmeter: 68_592, speed: 0.4 },
  },
  {
    vector: "cs-dragino-lht65n-0",
    profile: "dragino-lht65n",
    type: "LAT",
    fields: { temperature: 1.3, humidity: 24.2, battery: 100 },
  },
  { vector: "cs-dragino-lht65n-0", profile: "dragino-lht65n", type: "SMS", fields: { battery: 100 } },
  {
    vector: "cs-milesight-em300-sld-zld-0",
    profile: "milesight-em300-sld-zld",
    type: "LAT",
    fields: { temperature: 30.8, humidity: 50.5, battery: 92 },
  },
  {
    vector: "cs-milesight-em300-sld-zld-1",
    profile: "milesight-em300-sld-zld",
    type: "LAT",
    fields: null,
  },
  {
    vector: "cs-milesight-em300-sld-zld-2",
    profile: "milesight-em300-sld-zld",
    type: "LAT",
    at: 1_700_000_000_000,
    fields: { temperature: 25.5, humidity: 60 },
  },
];
