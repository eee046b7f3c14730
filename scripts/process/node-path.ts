import { delimiter, dirname } from "node:path";

/** The environment in which `node` is the Node that runs this script, whatever the machine's own is. */
export const withThisNode = (environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv => ({
  ...environment,
  PATH: [dirname(process.execPath), environment.PATH].filter(Boolean).join(delimiter),
});
