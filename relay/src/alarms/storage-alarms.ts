import type { LinkMonitor } from "../ports/link.ts";
import type { AlarmSource, SourceParts } from "./alarm-source.ts";

/** Key of the alarm about storing readings. */
export const STORAGE_KEY = "link:storage";

export interface StorageAlarms extends AlarmSource {
  /** The account is an administrator's, or is none any more. */
  reviewed(): void;
}

/** The farm API stores no readings: the most urgent alarm of administrators, who alone can do something about it. */
export function createStorageAlarms(
  parts: Pick<SourceParts, "sink"> & { readonly link: LinkMonitor; readonly administers: () => boolean },
): StorageAlarms {
  const { sink, link } = parts;
  const look = (): void => {
    const { notStoring } = link.state;
    if (notStoring === null || !parts.administers()) sink.clear(STORAGE_KEY, "not-storing");
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
