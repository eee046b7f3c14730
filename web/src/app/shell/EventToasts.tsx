import type { LiveEvent } from "@mulkko/shared/live/events";
import { Suspense, useState } from "react";
import { lazyPart } from "../../components/lazy/retried.ts";
import { MAX_TOASTS } from "../../components/toast.ts";
import { useOnEvent, useServerNow } from "../../live/hooks.ts";
import { isNoteworthy } from "./activity.ts";

/** Maximum age of an event for a toast, ms. An older one arrived late and is only in the bell. */
const TOAST_WITHIN_MS = 60_000;

const EventToast = lazyPart(() => import("./EventToast.tsx").then((m) => m.EventToast));

/**
 * Show toasts for urgent events: a failed valve command, a lost device, watering by others.
 *
 * @param props.otherInStrip true while the strip shows another account's alarm
 */
export function EventToasts({ otherInStrip }: { otherInStrip: boolean }) {
  const now = useServerNow();
  const [urgent, setUrgent] = useState<readonly { readonly key: number; readonly event: LiveEvent }[]>([]);

  useOnEvent((event) => {
    if (!isNoteworthy(event) || now() - Date.parse(event.at) > TOAST_WITHIN_MS) return;
    setUrgent((before) => [...before, { key: (before.at(-1)?.key ?? 0) + 1, event }].slice(-MAX_TOASTS));
  });
  return (
    <Suspense>
      {urgent.map(({ key, event }) => (
        <EventToast key={key} {...{ event, otherInStrip }} />
      ))}
    </Suspense>
  );
}
