import { createHash } from "node:crypto";

/** A script that Redis runs as one step, identified by the hash of its text. */
export interface Script {
  readonly name: string;
  readonly source: string;
  readonly sha: string;
}

export function script(name: string, source: string): Script {
  return { name, source, sha: createHash("sha1").update(source).digest("hex") };
}
