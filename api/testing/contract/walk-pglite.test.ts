import { startTestFarm } from "../test-farm.ts";
import { contractWalk } from "./walk.suite.ts";

await contractWalk("PGlite", await startTestFarm());
