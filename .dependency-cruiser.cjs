"use strict";

/**
 * Rules of imports, checked by `pnpm check`. `comment` is the sentence that a finding shows.
 *
 * @type {import("dependency-cruiser").IConfiguration}
 */

/** Tests, the suites and builders that they share, journeys and benchmarks. */
const TEST_CODE = "\\.(test|suite|e2e|fault|bench)\\.tsx?$|/(testing|bench)/";

/** Commands of the operator (`restore`, `set-password`): entry points beside their folder's code. */
const COMMANDS = "^api/src/[^/]+/[^/]+-command\\.ts$";

/** Folders of a package in the order of their imports: each may import only those before it. */
const ORDER = {
  shared: "schema rules catalogue entities live mqtt rest store server",
  relay:
    "runtime store upstream access http account valves alarms settings weather history fleet displays cluster gateway asyncapi",
  web: "theme i18n live api components domain features app",
  "web/src/domain":
    "form time reading view-as valve watering farm alarm map chart weather log device fleet account admin-list",
  api: "database http mail audit accounts storage history decode devices valves ingest mqtt notifications farms sensors controllers images contact admin jobs import backup demo setup",
};

/** shared ← api | relay | web; `testing`, `e2e` and `scripts` stay outside and import only the contract. */
const MAY_IMPORT = {
  shared: "shared",
  api: "api|shared",
  relay: "relay|shared",
  web: "web|shared",
  // Everything at once, in simulated time; nothing imports it.
  "testing/world": "testing|api|relay|web|shared",
  testing: "testing(?!/world)|shared",
  e2e: "e2e|testing|shared",
  scripts: "scripts|shared|testing",
};
const PACKAGES = Object.keys(MAY_IMPORT).join("|");

/** Files that compute and do no I/O. */
const PURE = ["^shared/src/", "rules\\.ts$", "/next-action\\.ts$", "/changes-since\\.ts$"];

const FEATURES_OF_TESTS = {
  // Tests of api and relay start real engines and bad links, and call as users and displays do; benchmarks
  // start the whole farm.
  tests: "^testing/(engines/|stack/(account|displays)\\.ts)",
  benchmarks: "^testing/(bench|stack)/",
};

const packages = Object.entries(MAY_IMPORT).map(([name, allowed]) => ({
  name: `packages-${name}`,
  comment:
    "imports go one way: shared ← api | relay | web; tests of api and relay may use testing/engines and the calls of testing/stack, their benchmarks testing/stack and testing/bench too",
  severity: "error",
  from: {
    path: name === "testing" ? "^testing/(?!world/)" : `^${name}/`,
    ...(/^(api|relay)$/.test(name) && { pathNot: TEST_CODE }),
  },
  to: { path: `^(${PACKAGES})/`, pathNot: `^(${allowed})/` },
}));

const packagesOfTests = ["api", "relay"].flatMap((name) => [
  {
    name: `packages-${name}-tests`,
    comment: packages[0].comment,
    severity: "error",
    from: { path: `^${name}/.*(${TEST_CODE})`, pathNot: "/bench/" },
    to: { path: `^(${PACKAGES})/`, pathNot: [`^(${MAY_IMPORT[name]})/`, FEATURES_OF_TESTS.tests] },
  },
  {
    name: `packages-${name}-benchmarks`,
    comment: packages[0].comment,
    severity: "error",
    from: { path: `^${name}/.*/?bench/` },
    to: {
      path: `^(${PACKAGES})/`,
      pathNot: [`^(${MAY_IMPORT[name]})/`, FEATURES_OF_TESTS.tests, FEATURES_OF_TESTS.benchmarks],
    },
  },
]);

const orders = Object.entries(ORDER).flatMap(([name, list]) => {
  const folders = list.split(" ");
  const source = name.includes("/") ? name : `${name}/src`;
  const comment = `folders of ${name} import only those before them: ${list}`;
  return [
    ...folders.slice(0, -1).map((folder, index) => ({
      name: `order-${name}-${folder}`,
      comment,
      severity: "error",
      from: { path: `^${source}/${folder}/`, pathNot: TEST_CODE },
      to: { path: `^${source}/(${folders.slice(index + 1).join("|")})/`, pathNot: TEST_CODE },
    })),
    {
      name: `order-${name}-top`,
      comment:
        "main, app, services and config compose the folders; no folder imports them, except an operator's command",
      severity: "error",
      from: { path: `^${source}/[^/]+/`, pathNot: [TEST_CODE, COMMANDS] },
      to: { path: `^${source}/(main|app|services|config)\\.ts$` },
    },
  ];
});

module.exports = {
  forbidden: [
    ...packages,
    ...packagesOfTests,
    ...orders,
    {
      name: "no-circles",
      comment: "imports form a circle",
      severity: "error",
      from: { pathNot: TEST_CODE },
      to: { circular: true },
    },
    {
      name: "features",
      comment:
        "features never import one another; what two of them need lives in domain/, components/, api/ or live/",
      severity: "error",
      from: { path: "^web/src/features/([^/]+)/" },
      to: { path: "^web/src/features/", pathNot: "^web/src/features/$1/" },
    },
    {
      name: "components",
      comment: "components/ know nothing of live values and REST: domain/ and features bring them together",
      severity: "error",
      from: { path: "^web/src/components/", pathNot: TEST_CODE },
      to: { path: "^web/src/(live|api)/" },
    },
    {
      name: "wall",
      comment:
        "the wall is a client of its own: it imports no feature and nothing of the application's frame",
      severity: "error",
      from: { path: "^web/src/wall/", pathNot: TEST_CODE },
      to: { path: "^web/src/(features|app)/" },
    },
    {
      name: "live",
      comment:
        "of live/ only hooks.ts is imported from outside; app/, wall/ and tests may create a connection, domain/fleet/ a stream of its own",
      severity: "error",
      from: { path: "^web/", pathNot: ["^web/src/(live|app|wall|domain/fleet)/", TEST_CODE] },
      to: { path: "^web/src/live/", pathNot: "^web/src/live/hooks\\.ts$" },
    },
    {
      name: "browser",
      comment: "the browser has no node: modules, and nothing of shared/src/server",
      severity: "error",
      from: { path: "^web/src/", pathNot: TEST_CODE },
      to: { path: "^shared/src/server/" },
    },
    {
      name: "browser-node",
      comment: "the browser has no node: modules, and nothing of shared/src/server",
      severity: "error",
      from: { path: "^web/src/", pathNot: TEST_CODE },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "pure",
      comment:
        "pure code (shared/src, rules.ts, next-action.ts, changes-since.ts) does no I/O: only typebox and dayjs from outside",
      severity: "error",
      from: {
        path: PURE,
        pathNot: ["^shared/src/server/", TEST_CODE],
      },
      to: { path: "node_modules", pathNot: "node_modules/(typebox|dayjs)/" },
    },
    {
      name: "pure-core",
      comment:
        "pure code (shared/src, rules.ts, next-action.ts, changes-since.ts) does no I/O: only typebox and dayjs from outside",
      severity: "error",
      from: {
        path: PURE,
        pathNot: ["^shared/src/server/", TEST_CODE],
      },
      to: { dependencyTypes: ["core"] },
    },
  ],
  options: {
    // Imports of types count too: a folder that needs another's types cannot be read without it.
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(dist|coverage|test-results)/" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default"],
      extensions: [".ts", ".tsx", ".js"],
    },
  },
};
