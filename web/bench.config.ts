import { defineConfig } from "vite";
import base from "./vite.config.ts";

/**
 * Build of the benchmark pages in `e2e/bench`, with the client's settings; no served build contains them.
 * They are built alone: chunks shared with the client would include its start-up.
 */
export default defineConfig((env) => {
  const client = base(env);
  const { build } = client;
  return {
    ...client,
    build: { ...build, rolldownOptions: { ...build?.rolldownOptions, input: "bench.html" } },
  };
});
