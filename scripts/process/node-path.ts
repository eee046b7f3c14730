import { delimiter, dirname } from "node:path";

/** Environment in which `node` is the Node that runs this script, not the machine's own. */
export const withThisNode = (environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv => ({
  ...environment,
  PATH: [dirname(process.execPath), environment.PATH].filter(Boolean).join(delimiter),
});
