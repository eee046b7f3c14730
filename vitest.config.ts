import { defineConfig } from "vitest/config";

/** Starting an engine, a browser or the whole stack takes seconds on two cores. */
const ENGINE_TIMEOUT_MS = 60_000;
const JOURNEY_TIMEOUT_MS = 240_000;

const nodeProject = (name: string) => ({
  test: {
    name,
    root: `./${name}`,
    environment: "node",
    include: ["**/*.test.ts"],
    testTimeout: ENGINE_TIMEOUT_MS,
    hookTimeout: ENGINE_TIMEOUT_MS,
  },
});

export default defineConfig({
  test: {
    projects: [
      ...["shared", "api", "relay", "scripts"].map(nodeProject),
      {
        extends: "./web/vite.config.ts",
        test: { name: "web", root: "./web", environment: "jsdom", include: ["src/**/*.test.{ts,tsx}"] },
      },
      {
        test: {
          name: "engines",
          root: "./e2e",
          environment: "node",
          include: ["src/**/*.test.ts"],
          testTimeout: ENGINE_TIMEOUT_MS,
          hookTimeout: ENGINE_TIMEOUT_MS,
        },
      },
      {
        test: {
          name: "e2e",
          root: "./e2e",
          environment: "node",
          include: ["**/*.e2e.ts"],
          // Journeys share the machine's two cores with a browser and both servers.
          fileParallelism: false,
          testTimeout: JOURNEY_TIMEOUT_MS,
          hookTimeout: JOURNEY_TIMEOUT_MS,
        },
      },
    ],
  },
});
