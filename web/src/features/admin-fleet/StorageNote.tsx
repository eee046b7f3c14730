import { relayPath } from "@mulkko/shared/rest/routes";
import { RelayStorage, type StorageState } from "@mulkko/shared/rest/storage";
import { useEffect, useState } from "react";
import { useTimeWords } from "../../farm/use-time-words.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useIsLive, useLink } from "../../live/hooks.ts";
import { useRest } from "../../rest/hooks.ts";
import { ErrorNote } from "../../ui/feedback/error-note.tsx";

/** ms between two questions while the page is live. */
const ASK_EVERY_MS = 60_000;
/** Days before a disk is full from which it is said. */
const SAID_FROM_DAYS = 14;
const GIGABYTE = 1e9;

/** Report on storing readings and free space; null until it is known, or where the server does not report it. */
function useStorage(): StorageState | null {
  const { client } = useRest();
  const live = useIsLive();
  const fault = useLink((link) => link.relay?.notStoring?.fault ?? null);
  const [storage, setStorage] = useState<StorageState | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again at once when storing begins or ends
  useEffect(() => {
    if (!live) return;
    const abort = new AbortController();
    const ask = () =>
      client
        .call({ method: "GET", path: relayPath.storage, answer: RelayStorage, signal: abort.signal })
        .then(({ storage: said }) => setStorage(said))
        // What was said last stands; the link says what else is wrong.
        .catch(() => undefined);
    void ask();
    const timer = setInterval(() => void ask(), ASK_EVERY_MS);
    return () => {
      clearInterval(timer);
      abort.abort();
    };
  }, [client, live, fault]);
  return storage;
}

/** Say that readings are not stored, or that there will soon be no room for them. */
export function StorageNote() {
  const { t } = useTranslation(["common", "morning"]);
  const { dayTime } = useTimeWords();
  const disk = useStorage()?.disk ?? null;
  const trouble = useLink((link) => link.relay?.notStoring ?? null);
  const room = disk && t("morning:storage.free", { free: (disk.freeBytes / GIGABYTE).toFixed(1) });
  if (trouble !== null) {
    return (
      <ErrorNote>
        <strong>{t("notStoring.title")}</strong>. {t(`notStoring.${trouble.fault}`)}.{" "}
        {t("morning:storage.since", { time: dayTime(Date.parse(trouble.since)) })}
        {room && ` · ${room}`}
      </ErrorNote>
    );
  }
  if (disk === null || disk.daysLeft === null || disk.daysLeft > SAID_FROM_DAYS) return null;
  return (
    <ErrorNote>
      <strong>{t("morning:storage.fillsIn", { count: Math.max(1, Math.floor(disk.daysLeft)) })}</strong> ·{" "}
      {room}
    </ErrorNote>
  );
}
