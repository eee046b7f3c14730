import { Button } from "@chakra-ui/react";
import type { PendingCode } from "@mulkko/shared/rest/displays";
import type { WatchState } from "@mulkko/shared/rest/watch";
import { useEffect, useState } from "react";
import { Link } from "react-router-dom";
import { signedInDevice } from "../../farm/signed-in-device.ts";
import { FormNotes } from "../../form/form-notes.tsx";
import { languageOf } from "../../i18n/language.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";
import { approveDisplay } from "../../rest/displays.ts";
import { useAccount, useRest } from "../../rest/hooks.ts";
import { fetchWatch } from "../../rest/watch.ts";
import { toaster } from "../../ui/feedback/toaster.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { placeOf } from "../../ui/map/place.ts";
import { DisplayFields } from "./DisplayFields.tsx";
import { type DisplayContent, newDraft, shownCode } from "./draft.ts";
import { useDisplayForm } from "./use-display-form.ts";

const CONTENT = ["sensor.listing", "channel"] as const;

const contentOf = ({ sensors, channels }: LiveFarm): Omit<DisplayContent, "fleet"> => ({
  sensors: [...sensors.values()].some(({ info }) => info.deviceType !== "COT"),
  valves: channels.size > 0,
  places: [...sensors.values()].some(({ info }) => placeOf(info) !== null),
});

const sameContent = (a: Omit<DisplayContent, "fleet">, b: Omit<DisplayContent, "fleet">): boolean =>
  a.sensors === b.sensors && a.valves === b.valves && a.places === b.places;

interface ApproveFormProps {
  readonly pending: PendingCode;
  /** Number of paired displays, for the new one's default name. */
  readonly count: number;
  readonly onPaired: () => void;
  readonly onCancel: () => void;
}

/** Choose the content of a new display. All fields have defaults: one click pairs it. */
export function ApproveForm({ pending, count, onPaired, onCancel }: ApproveFormProps) {
  const { t, i18n } = useTranslation(["displays", "common"]);
  const { client } = useRest();
  const account = useAccount();
  const watch = useWatch();
  const content = useLiveSelection(CONTENT, contentOf, sameContent);
  const [initial] = useState(() =>
    newDraft(t("add.firstName", { number: count + 1 }), languageOf(i18n.language) ?? "ko", {
      ...content,
      fleet: account.userType === "ADMIN",
    }),
  );
  const form = useDisplayForm(initial, async (settings) => {
    await approveDisplay(client, pending.code, settings);
    toaster.create({ type: "success", title: t("add.done", { name: settings.name }) });
    onPaired();
  });
  const { browser, system } = signedInDevice(pending.agent);
  const agent = [browser, system].filter((word) => word !== null).join(" · ");
  return (
    <Card title={t("add.found")}>
      <form className="displays__fields" onSubmit={form.submit} noValidate>
        <div className="displays__screen">
          <strong className="displays__letters" data-testid="screen-code">
            {shownCode(pending.code)}
          </strong>
          <span className="displays__note">
            {agent === "" ? pending.address : t("add.from", { agent, address: pending.address })}
          </span>
          <span className="displays__note">{t("add.compare")}</span>
        </div>
        {watch?.by === "nobody" && (
          <p className="displays__warning" role="status">
            {t("add.notWatched")} <Link to="/account">{t("add.toAccount")}</Link>
          </p>
        )}
        <DisplayFields form={form} mayFleet={account.userType === "ADMIN"} />
        <FormNotes form={form} />
        <div className="displays__actions">
          <Button type="submit" size="lg" loading={form.busy} loadingText={t("add.connect")}>
            {t("add.connect")}
          </Button>
          <Button type="button" size="lg" variant="outline" disabled={form.busy} onClick={onCancel}>
            {t("common:action.cancel")}
          </Button>
        </div>
      </form>
    </Card>
  );
}

/** Return the state of watching while the user is signed out: a display depends on it (CRED-1). */
function useWatch(): WatchState | null {
  const { client } = useRest();
  const [watch, setWatch] = useState<WatchState | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    fetchWatch(client, abort.signal).then(setWatch, () => undefined);
    return () => abort.abort();
  }, [client]);
  return watch;
}
