import { PGlite, type PGliteOptions, types } from "@electric-sql/pglite";

/** Options of PGlite: small buffers, because it shares a small machine with everything else. */
export const pgliteOptions: PGliteOptions = {
  startParams: [
    ...PGlite.defaultStartParams,
    "-c",
    "shared_buffers=16MB",
    "-c",
    "max_wal_size=64MB",
    "-c",
    "min_wal_size=32MB",
  ],
  parsers: {
    [types.INT8]: (text) => Number(text),
    [types.TIMESTAMPTZ]: (text) => Date.parse(text),
  },
};
