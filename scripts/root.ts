import { resolve } from "node:path";

/** The root of the workspace, absolute. */
export const ROOT = resolve(import.meta.dirname, "..");
