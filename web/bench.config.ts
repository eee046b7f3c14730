import { defineConfig } from "vite";
import base from "./vite.config.ts";

/**
 * The pages of the benchmarks in `e2e/bench`, built as the client is; no build that is served holds them. They are
 * the only ones of their build: what they had in common with the client would bring its own start with it.
 */
export default defineConfig((env) => {
  const client = base(env);
  const { build } = client;
  return {
    ...client,
    build: { ...build, rolldownOptions: { ...build?.rolldownOptions, input: "bench.html" } },
  };
});
