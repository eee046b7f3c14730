import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { dirname } from "node:path";

export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

const idOf = (flag: "-u" | "-g"): number =>
  Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));

/** Return the user `nobody` for programs that refuse to run as root; undefined without root. */
export const unprivilegedUser = (): SystemUser | undefined =>
  process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : undefined;

/** Return true if every folder on the way to `path` is open to all users. */
export const isOpenToAll = (path: string): boolean => {
  const othersMayEnter = (statSync(path).mode & 0o005) === 0o005;
  const parent = dirname(path);
  return othersMayEnter && (parent === path || isOpenToAll(parent));
};
