import { defineConfig, mergeConfig } from "vite";
import base from "./vite.config.ts";

/** The pages of the benchmarks in `e2e/bench`, built as the client is; no build that is served holds them. */
export default defineConfig((env) =>
  mergeConfig(base(env), { build: { rolldownOptions: { input: "bench.html" } } }),
);
