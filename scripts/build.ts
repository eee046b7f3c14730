import { ROOT } from "./root.ts";
import { buildWeb } from "./web-build/build-web.ts";

await buildWeb(ROOT);
