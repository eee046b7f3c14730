import { defineConfig } from "vitest/config";

/** Starting an engine, a browser or the whole stack takes seconds on two cores. */
const ENGINE_TIMEOUT_MS = 60_000;
const JOURNEY_TIMEOUT_MS = 240_000;
const POLL_TIMEOUT_MS = 20_000;

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
    // A machine with two cores would give Vitest one worker; most tests wait for an engine or a clock, so that three
    // keep both busy.
    maxWorkers: 3,
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
          // Each journey brings a browser and both servers: two of them fill two cores, and mostly wait.
          maxWorkers: 2,
          testTimeout: JOURNEY_TIMEOUT_MS,
          hookTimeout: JOURNEY_TIMEOUT_MS,
          // How long a screen may take says the bench, not a journey.
          expect: { poll: { timeout: POLL_TIMEOUT_MS, interval: 100 } },
        },
      },
      {
        test: {
          name: "faults",
          root: "./e2e",
          environment: "node",
          include: ["**/*.fault.ts"],
          // Four relays, Redis and the farm API fill two cores.
          maxWorkers: 1,
          testTimeout: JOURNEY_TIMEOUT_MS,
          hookTimeout: JOURNEY_TIMEOUT_MS,
          expect: { poll: { timeout: POLL_TIMEOUT_MS, interval: 100 } },
        },
      },
    ],
  },
});
