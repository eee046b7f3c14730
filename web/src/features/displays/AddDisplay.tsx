import { Box, Button, chakra, Stack, Text } from "@chakra-ui/react";
import { CODE_LENGTH, type DisplaySettings, type PendingCode } from "@mulkko/shared/rest/displays";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { shallow } from "zustand/shallow";
import { fetchWatch, WATCH } from "../../api/account.ts";
import { approveDisplay, fetchPendingCode } from "../../api/displays.ts";
import { ApiError, errorCode } from "../../api/errors.ts";
import { useAccount, useRest } from "../../api/hooks.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { Card } from "../../components/card.tsx";
import { TextField } from "../../components/field.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { toaster } from "../../components/toaster.tsx";
import { deviceName } from "../../domain/account/signed-in-device.ts";
import { placeOf } from "../../domain/map/place.ts";
import { useLabels } from "../../i18n/labels.ts";
import { languageOf } from "../../i18n/language.ts";
import { type LiveFarm, useLiveSelection } from "../../live/hooks.ts";
import { DisplayForm, NOTE } from "./DisplayFields.tsx";
import { type DisplayContent, newDraft, readTyped, shownCode } from "./draft.ts";

const CONTENT = ["sensor.listing", "channel"] as const;

const contentOf = ({ sensors, channels }: LiveFarm): Omit<DisplayContent, "fleet"> => ({
  sensors: [...sensors.values()].some(({ info }) => info.deviceType !== "COT"),
  valves: channels.size > 0,
  places: [...sensors.values()].some(({ info }) => placeOf(info) !== null),
});

interface ApproveFormProps {
  readonly pending: PendingCode;
  /** Number of paired displays, for the new one's default name. */
  readonly count: number;
  readonly onPaired: () => void;
  readonly onCancel: () => void;
}

/** Choose the content of a new display. All fields have defaults: one click pairs it. */
function ApproveForm({ pending, count, onPaired, onCancel }: ApproveFormProps) {
  const { t, i18n } = useTranslation("displays");
  const { client } = useRest();
  const account = useAccount();
  // A display depends on watching while the user is signed out (CRED-1).
  const { data: watch } = useRestQuery(WATCH, fetchWatch);
  const content = useLiveSelection(CONTENT, contentOf, shallow);
  const [initial] = useState(() =>
    newDraft(t("add.firstName", { number: count + 1 }), languageOf(i18n.language) ?? "ko", {
      ...content,
      fleet: account.userType === "ADMIN",
    }),
  );
  const keep = async (settings: DisplaySettings) => {
    await approveDisplay(client, pending.code, settings);
    toaster.create({ type: "success", title: t("add.done", { name: settings.name }) });
    onPaired();
  };
  const agent = deviceName(pending.agent);
  return (
    <Card title={t("add.found")}>
      <DisplayForm
        values={initial}
        keep={keep}
        mayFleet={account.userType === "ADMIN"}
        submit={t("add.connect")}
        onCancel={onCancel}
      >
        <Stack gap="1" p="4" rounded="card" bg="bg.sunk">
          <chakra.strong fontSize="1.75rem" letterSpacing="0.12em" data-testid="screen-code">
            {shownCode(pending.code)}
          </chakra.strong>
          <Text as="span" {...NOTE}>
            {agent === "" ? pending.address : t("add.from", { agent, address: pending.address })}
          </Text>
          <Text as="span" {...NOTE}>
            {t("add.compare")}
          </Text>
        </Stack>
        {watch?.by === "nobody" && (
          <chakra.p
            ps="3"
            borderStartWidth="3px"
            borderStartStyle="dashed"
            borderStartColor="border.strong"
            css={{ "& a": { textDecoration: "underline", textUnderlineOffset: "0.2em" } }}
            role="status"
          >
            {t("add.notWatched")} <Link to="/account">{t("add.toAccount")}</Link>
          </chakra.p>
        )}
      </DisplayForm>
    </Card>
  );
}

interface AddDisplayProps {
  /** Code in the address of the display's own link; empty if the user types it. */
  readonly code: string;
  readonly count: number;
  readonly onPaired: () => void;
  readonly onCode: (code: string) => void;
}

/**
 * Enter the eight letters that a display shows, typed or from its link. They lead to the form for its
 * content.
 */
export function AddDisplay({ code, count, onPaired, onCode }: AddDisplayProps) {
  const { t } = useTranslation("displays");
  const labels = useLabels();
  const [typed, setTyped] = useState(code);
  const isWhole = code.length >= CODE_LENGTH;
  const { data: pending, error } = useRestQuery(
    ["display-code", code],
    (rest, signal) => fetchPendingCode(rest, code, signal),
    { enabled: isWhole },
  );
  useEffect(() => setTyped(code), [code]);

  if (pending !== null) {
    return <ApproveForm pending={pending} count={count} onPaired={onPaired} onCancel={() => onCode("")} />;
  }
  const isGone = error instanceof ApiError && error.status === 404;
  const failure = error === null ? undefined : isGone ? t("add.noScreen") : labels.error(errorCode(error));
  return (
    <Card title={t("add.title")}>
      <chakra.form
        display="grid"
        gap="4"
        css={{ "& > button": { justifySelf: "start" } }}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onCode(typed);
        }}
      >
        <Text {...NOTE}>{t("add.how")}</Text>
        {isWhole && error === null ? (
          <Skeleton height="5rem" />
        ) : (
          <Box
            css={{
              "& input": {
                maxW: "18rem",
                minH: "16",
                fontSize: "1.75rem",
                fontWeight: "semibold",
                letterSpacing: "0.12em",
                textTransform: "uppercase",
              },
            }}
          >
            <TextField
              label={t("add.code")}
              name="code"
              autoComplete="off"
              value={shownCode(typed)}
              error={failure}
              onChange={(event) => {
                const letters = readTyped(event.target.value);
                setTyped(letters);
                // Continue automatically after the last letter.
                if (letters.length === CODE_LENGTH) onCode(letters);
              }}
            />
          </Box>
        )}
        {error !== null && (
          <Button
            variant="outline"
            onClick={() => {
              setTyped("");
              onCode("");
            }}
          >
            {t("add.again")}
          </Button>
        )}
      </chakra.form>
    </Card>
  );
}
