import type { Operation } from "./operation.ts";

// The answers depend on the device's type; their readers have the schemas.

/** Rows and statistics of a range; regular buckets with `buckets` (extension `log-buckets`). */
export const logRange = {
  methods: ["GET"],
  path: "/api/v1/sensor/read/log/:id/:start/:end",
  readableAs: true,
} as const satisfies Operation;

/** Reports of a valve in a range. */
export const cotLog = {
  methods: ["GET"],
  path: "/api/v1/sensor/read/log/cot/:id/ch/:channel/:start/:end",
  readableAs: true,
} as const satisfies Operation;

/** The newest stored reading, or null. */
export const latestStored = {
  methods: ["GET"],
  path: "/api/v1/sensor/read/log/:id/latest",
  readableAs: true,
} as const satisfies Operation;

/** The newest accepted reading, stored yet or not, or null. */
export const latestReceived = {
  methods: ["GET"],
  path: "/api/v1/sensor/read/log/:id/latest/mqtt",
  readableAs: true,
} as const satisfies Operation;

/** The newest stored reading of up to 500 sensors (extension `latest-bulk`). */
export const latestOfMany = {
  methods: ["GET"],
  path: "/api/v1/sensor/latest",
  readableAs: true,
} as const satisfies Operation;
