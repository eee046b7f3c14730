/**
 * Node options of the farm API that keep its memory close to its use, also on a large machine: smaller spaces
 * for new objects, and collection of old ones after a third of growth. Neither limits a large answer.
 */
export const LEAN_API_OPTIONS: readonly string[] = ["--max-semi-space-size=16", "--heap-growing-percent=30"];

/**
 * For the C library: return free buffers to the system for any number of threads. Other libraries ignore it.
 */
export const LEAN_API_ENVIRONMENT: NodeJS.ProcessEnv = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_TRIM_THRESHOLD_: "131072",
};
