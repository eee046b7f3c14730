import { systemClock } from "@mulkko/shared/rules/clock";
import { browserReloader } from "./reload.ts";

/** One for the page: whoever wants it loaded anew shares the pace. */
export const reloader = browserReloader(systemClock);
