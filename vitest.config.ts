import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";

/** Starting an engine, a browser or the whole stack takes seconds on two cores. */
const ENGINE_TIMEOUT_MS = 60_000;
const POLL_TIMEOUT_MS = 20_000;
/**
 * Without a graphics card a browser draws maps on the same two cores: a page with a map may answer a press after
 * 20 s when two other journeys draw theirs.
 */
const JOURNEY_TIMEOUT_MS = 600_000;
const JOURNEY_POLL_TIMEOUT_MS = 60_000;

/**
 * A machine with two cores would give Vitest one worker. Most tests wait for an engine or a clock, so three
 * keep both cores busy. Projects that share the workers must have the same number.
 */
const WORKERS = { maxWorkers: 3 };

/** Waiting ends as soon as the condition holds: a long limit costs nothing, also on a busy machine. */
const PATIENT = {
  testTimeout: ENGINE_TIMEOUT_MS,
  hookTimeout: ENGINE_TIMEOUT_MS,
  expect: { poll: { timeout: POLL_TIMEOUT_MS } },
};

/** Serves the client's translations, which the tests load as a browser does. */
const TRANSLATIONS = fileURLToPath(new URL("./web/src/testing/serve-translations.ts", import.meta.url));

const nodeProject = (name: string) => ({
  test: {
    ...WORKERS,
    name,
    root: `./${name}`,
    environment: "node",
    include: ["**/*.test.ts"],
    // Loading the modules again for each file takes as long as the tests; no module keeps state by itself.
    isolate: false,
    ...PATIENT,
  },
});

export default defineConfig({
  test: {
    ...WORKERS,
    projects: [
      ...["shared", "api", "relay", "scripts"].map(nodeProject),
      {
        extends: "./web/vite.config.ts",
        test: {
          ...WORKERS,
          name: "web",
          root: "./web",
          environment: "jsdom",
          include: ["src/**/*.test.tsx"],
          ...PATIENT,
          setupFiles: [
            fileURLToPath(new URL("./web/src/testing/fresh-page.ts", import.meta.url)),
            TRANSLATIONS,
          ],
          // Loading the modules again for each file takes ten times as long as the tests.
          isolate: false,
        },
      },
      {
        // Tests without rendering need no document: creating one takes longer than most of these tests.
        extends: "./web/vite.config.ts",
        test: {
          ...WORKERS,
          name: "web-core",
          root: "./web",
          environment: "node",
          include: ["{src,build}/**/*.test.ts"],
          setupFiles: [TRANSLATIONS],
          isolate: false,
          ...PATIENT,
        },
      },
      {
        test: {
          ...WORKERS,
          name: "testing",
          root: ".",
          environment: "node",
          include: ["{testing,e2e}/**/*.test.ts"],
          ...PATIENT,
        },
      },
      {
        test: {
          name: "e2e",
          root: "./e2e",
          globalSetup: fileURLToPath(new URL("./testing/stack/demo-template.ts", import.meta.url)),
          environment: "node",
          include: ["**/*.e2e.ts"],
          // One journey for each group of screens in every run; the others run in `pnpm e2e:full`.
          exclude: [...configDefaults.exclude, ...(process.env.E2E_FULL === "1" ? [] : ["**/*.full.e2e.ts"])],
          // Each journey brings a browser and both servers, and mostly waits.
          maxWorkers: 3,
          testTimeout: JOURNEY_TIMEOUT_MS,
          hookTimeout: JOURNEY_TIMEOUT_MS,
          // The benches measure the speed of screens, not the journeys.
          expect: { poll: { timeout: JOURNEY_POLL_TIMEOUT_MS, interval: 100 } },
        },
      },
      {
        test: {
          name: "faults",
          environment: "node",
          include: ["{e2e,api,relay}/**/*.fault.ts"],
          // Four relays, Redis and the farm API fill two cores.
          maxWorkers: 1,
          testTimeout: JOURNEY_TIMEOUT_MS,
          hookTimeout: JOURNEY_TIMEOUT_MS,
          expect: { poll: { timeout: JOURNEY_POLL_TIMEOUT_MS, interval: 100 } },
        },
      },
    ],
  },
});
