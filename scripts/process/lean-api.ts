/**
 * What Node is given before the farm API's script, so that its memory is what it uses and not what a large machine
 * lets it have: smaller spaces for new objects, and old ones collected when they have grown by a third. Neither is a
 * limit that a large answer could run into.
 */
export const LEAN_API_OPTIONS: readonly string[] = ["--max-semi-space-size=16", "--heap-growing-percent=30"];

/** For the C library: buffers that are free go back to the system, whatever the threads. Others do not look at it. */
export const LEAN_API_ENVIRONMENT: NodeJS.ProcessEnv = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_TRIM_THRESHOLD_: "131072",
};
