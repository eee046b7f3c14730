import { setTimeout as sleep } from "node:timers/promises";

const PAUSE_MS = 250;
const ANSWER_TIMEOUT_MS = 2_000;

const isHealthy = async (url: string): Promise<boolean> => {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
};

/** Repeat the request until `url` answers 200; return false when `stopping` is aborted first. */
export const waitUntilHealthy = async (url: string, stopping: AbortSignal): Promise<boolean> => {
  while (!stopping.aborted) {
    if (await isHealthy(url)) return true;
    await sleep(PAUSE_MS);
  }
  return false;
};
