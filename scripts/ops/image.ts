import { cp, mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** Content of the last stage of a Dockerfile. */
export interface ImageClaims {
  /** Sources and targets of its COPY lines; `from` another stage, or null for the project. */
  readonly copies: readonly {
    readonly from: string | null;
    readonly sources: string[];
    readonly target: string;
  }[];
  readonly user: string | null;
  readonly command: readonly string[];
}

/** Parse a simple Dockerfile: one instruction per line. */
export const imageClaims = (dockerfile: string): ImageClaims => {
  const stage = dockerfile.slice(dockerfile.lastIndexOf("\nFROM "));
  const copies = [...stage.matchAll(/^COPY (?:--from=(\S+) )?(.+) (\S+)$/gm)].map(
    ([, from, sources = "", target = ""]) => ({ from: from ?? null, sources: sources.split(" "), target }),
  );
  const command = /^CMD \[(.+)\]$/m.exec(stage)?.[1] ?? "";
  return {
    copies,
    user: /^USER (\S+)$/m.exec(stage)?.[1] ?? null,
    command: [...command.matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? ""),
  };
};

/** Return the sources of every COPY line of all stages that copy from the project. */
export const copiedFromProject = (dockerfile: string): string[] =>
  [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = ""]) => sources.split(" "));

/** Match files that `.dockerignore` excludes from our own folders: tests. */
const isKeptOut = (path: string): boolean => /\.(test|suite)\.tsx?$/.test(path);

/** Link dependencies as in the workspace; packages of the workspace itself link to the copy. */
const linkDependencies = async (root: string, name: string, target: string): Promise<void> => {
  const installed = join(root, name, "node_modules");
  await mkdir(join(target, name, "node_modules/@mulkko"), { recursive: true });
  for (const entry of await readdir(installed)) {
    if (entry === "@mulkko" || entry.startsWith(".")) continue;
    await symlink(join(installed, entry), join(target, name, "node_modules", entry));
  }
  await symlink(join(target, "shared"), join(target, name, "node_modules/@mulkko/shared"));
};

/**
 * Build in a folder the content of the image: the files of its COPY lines, the built web client of the
 * project, and links to the project's dependencies.
 */
export const layOutImage = async (root: string, target: string): Promise<ImageClaims> => {
  const claims = imageClaims(await readFile(join(root, "Dockerfile"), "utf8"));
  for (const { from, sources, target: to } of claims.copies) {
    if (from === "production") continue;
    for (const source of sources) {
      const path = from === "web" ? source.replace("/mulkko/", "") : source;
      const into = to.endsWith("/") ? join(target, to, basename(path)) : join(target, to);
      await mkdir(dirname(into), { recursive: true });
      await cp(join(root, path), into, { recursive: true, filter: (file) => !isKeptOut(file) });
    }
  }
  for (const name of ["shared", "api", "relay"]) await linkDependencies(root, name, target);
  return claims;
};
