/** Vitest's projects, as `vitest.config.ts` names them, in the order in which they run. */
export const UNIT_PROJECTS = ["shared", "api", "relay", "scripts", "web-core", "web", "testing"] as const;
export const JOURNEYS = "e2e";

export type Project = (typeof UNIT_PROJECTS)[number] | typeof JOURNEYS;

export const isProject = (name: string): name is Project =>
  name === JOURNEYS || UNIT_PROJECTS.some((project) => project === name);
