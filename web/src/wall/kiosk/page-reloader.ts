import { systemClock } from "@mulkko/shared/rules/clock";
import { browserReloader } from "./reload.ts";

/** One for the page: all callers share its rate limit. */
export const reloader = browserReloader(systemClock);
