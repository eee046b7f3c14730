import { useEffect, useState } from "react";
import { SearchSelect } from "../../components/search-select.tsx";
import { useTranslation } from "../../i18n/use-translation.ts";
import { findOwners, type Owner } from "../../rest/admin-sensors.ts";
import { useRest } from "../../rest/hooks.ts";

/** Owner of a sensor: the account's id, empty if none is selected, and the text in the field. */
export interface ChosenOwner {
  readonly userId: string;
  readonly ownerText: string;
}

interface OwnerFieldProps extends ChosenOwner {
  error: string | undefined;
  onChange: (owner: ChosenOwner) => void;
}

/** Delay after typing before the search, ms. */
const TYPED_MS = 250;

const labelOf = ({ username, nickname }: Owner): string =>
  nickname && nickname !== username ? `${username} (${nickname})` : username;

/** Select the account that a sensor is registered for, by its name. */
export function OwnerField({ userId, ownerText: text, error, onChange }: OwnerFieldProps) {
  const { t } = useTranslation("admin-sensor-add");
  const { client } = useRest();
  const [found, setFound] = useState<readonly Owner[] | "asking" | "failed">("asking");
  const chosen = userId !== "";
  useEffect(() => {
    if (chosen) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      findOwners(client, text.trim(), abort.signal).then(setFound, () => {
        if (!abort.signal.aborted) setFound("failed");
      });
    }, TYPED_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [client, text, chosen]);
  const owners = typeof found === "string" ? [] : found;
  /** Reason why the list has no suggestion for the text. */
  const lack =
    found === "failed"
      ? t("ownersFailed")
      : !chosen && text.trim() !== "" && found !== "asking"
        ? t(owners.length === 0 ? "ownersNone" : "ownerPick")
        : null;
  return (
    <SearchSelect
      label={t("owner")}
      hint={lack ?? t("ownerHint")}
      required
      error={error && (lack ?? error)}
      text={text}
      onText={(ownerText) => onChange({ userId: "", ownerText })}
      options={owners.map((owner) => ({ value: `${owner.id}`, label: labelOf(owner) }))}
      onPick={(id) => {
        const owner = owners.find((each) => `${each.id}` === id);
        if (owner) onChange({ userId: id, ownerText: labelOf(owner) });
      }}
    />
  );
}
