import type { LinkMonitor } from "../upstream/link-monitor.ts";
import type { AlarmSource, SourceDeps } from "./alarm-source.ts";

/** Key of the alarm about storing readings. */
export const STORAGE_KEY = "link:storage";

export interface StorageAlarms extends AlarmSource {
  /** Check the account's role again. */
  reviewed(): void;
}

/**
 * Raise the most urgent alarm of administrators while the farm API stores no readings: only they can fix it.
 */
export function createStorageAlarms(
  deps: Pick<SourceDeps, "sink"> & { readonly link: LinkMonitor; readonly administers: () => boolean },
): StorageAlarms {
  const { sink, link } = deps;
  const look = (): void => {
    const { notStoring } = link.state;
    if (notStoring === null || !deps.administers()) sink.clear(STORAGE_KEY, "not-storing");
    else
      sink.hold(STORAGE_KEY, "not-storing", {
        priority: 1,
        detail: { fault: notStoring.fault, since: new Date(notStoring.since).toISOString() },
      });
  };
  const stop = link.listen(look);
  look();
  return { reviewed: look, restored: look, close: stop };
}
