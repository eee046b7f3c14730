import { biome } from "./biome.ts";
import { catalogue } from "./catalogue.ts";
import { deadCode } from "./dead-code.ts";
import { docPaths } from "./doc-paths.ts";
import { documentedOrder } from "./documented-order.ts";
import { documentedVariables } from "./documented-variables.ts";
import { farmApiPaths } from "./farm-api-paths.ts";
import { fileNames } from "./file-names.ts";
import type { Check } from "./finding.ts";
import { language } from "./language.ts";
import { layers } from "./layers.ts";
import { localeKeys } from "./locale-keys.ts";
import { logEvents } from "./log-events.ts";
import { ruleProofs } from "./rule-proofs.ts";
import { scrollers } from "./scrollers.ts";
import { selectors } from "./selectors.ts";
import { specCoverage } from "./spec-coverage.ts";
import { types } from "./types.ts";
import { unboundMethods } from "./unbound-methods.ts";

/** All rules of the workspace that a program can check. */
export const CHECKS: readonly Check[] = [
  biome,
  types,
  unboundMethods,
  deadCode,
  layers,
  fileNames,
  localeKeys,
  catalogue,
  language,
  logEvents,
  selectors,
  scrollers,
  farmApiPaths,
  docPaths,
  documentedVariables,
  documentedOrder,
  ruleProofs,
  specCoverage,
];
