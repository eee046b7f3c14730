import { useTranslation } from "react-i18next";
import { findOwners, type Owner } from "../../api/admin-sensors.ts";
import { pause, useLastAnswer, useRestQuery } from "../../api/queries.tsx";
import { SearchSelect } from "../../components/search-select.tsx";

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
  const chosen = userId !== "";
  const { data, error: failure } = useRestQuery(
    ["owners", text.trim()],
    async (rest, signal) => {
      await pause(TYPED_MS, signal);
      return findOwners(rest, text.trim(), signal);
    },
    { enabled: !chosen },
  );
  // The suggestions for the previous letters stay until there are others.
  const found = useLastAnswer(data);
  const owners = failure === null ? (found ?? []) : [];
  /** Reason why the list has no suggestion for the text. */
  const lack =
    failure !== null
      ? t("ownersFailed")
      : !chosen && text.trim() !== "" && found !== null
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
