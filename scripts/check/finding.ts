/** One thing that is wrong, said so that the reader knows where to go. */
export interface Finding {
  /** Relative to the root of the workspace; null when the finding belongs to no file. */
  readonly file: string | null;
  readonly line?: number;
  readonly message: string;
}

/** One rule of the workspace. `run` throws only when the rule itself cannot be tried. */
export interface Check {
  readonly name: string;
  run(root: string): Promise<readonly Finding[]>;
}

/** `shared/src/rules/quality.ts:12 message` */
export const describeFinding = ({ file, line, message }: Finding): string =>
  file === null ? message : `${file}${line === undefined ? "" : `:${line}`} ${message}`;
