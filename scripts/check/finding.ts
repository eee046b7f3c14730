/** One fault, with its place. */
export interface Finding {
  /** Path relative to the root of the workspace; null for a finding without a file. */
  readonly file: string | null;
  readonly line?: number;
  readonly message: string;
}

/** One rule of the workspace. `run` throws only when the rule itself cannot be checked. */
export interface Check {
  readonly name: string;
  run(root: string): Promise<readonly Finding[]>;
}

/** Format a finding as `shared/src/rules/quality.ts:12 message`. */
export const describeFinding = ({ file, line, message }: Finding): string =>
  file === null ? message : `${file}${line === undefined ? "" : `:${line}`} ${message}`;
