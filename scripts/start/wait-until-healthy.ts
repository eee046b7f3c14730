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

/** Asks until `url` answers 200; gives false when `stopping` is aborted first. */
export const waitUntilHealthy = async (url: string, stopping: AbortSignal): Promise<boolean> => {
  while (!stopping.aborted) {
    if (await isHealthy(url)) return true;
    await sleep(PAUSE_MS);
  }
  return false;
};
