import { Box, chakra, Flex, Grid, Stack, Text } from "@chakra-ui/react";
import type { Display, DisplaySettings } from "@mulkko/shared/rest/displays";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router-dom";
import { changeDisplay, fetchDisplays, revokeDisplay } from "../../api/displays.ts";
import { errorCode } from "../../api/errors.ts";
import { useAccount, useRest } from "../../api/hooks.ts";
import { useClaim } from "../../api/knowledge.ts";
import { useRestQuery } from "../../api/queries.tsx";
import { ErrorNote } from "../../components/alerts.tsx";
import { Card } from "../../components/card.tsx";
import { OverflowMenu } from "../../components/menu.tsx";
import { PageHeading } from "../../components/page-heading.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { toaster } from "../../components/toaster.tsx";
import { useFarmsByName } from "../../domain/farm/farms-by-name.ts";
import { DeletionQuestion, useDeletion } from "../../domain/form/deletion-question.tsx";
import { useTimeTexts } from "../../domain/time/use-time-texts.ts";
import { useLabels } from "../../i18n/labels.ts";
import { AddDisplay } from "./AddDisplay.tsx";
import { byAccount } from "./by-account.ts";
import { DisplayForm, NOTE } from "./DisplayFields.tsx";
import { draftOf, readTyped } from "./draft.ts";

/** Polling interval of the displays' connection state while the page is visible, ms. */
const EVERY_MS = 10_000;

/** List the wall displays and add new ones. Designed for the phone of the person who mounts the display. */
export function DisplaysPage() {
  const { t } = useTranslation("displays");
  const [params, setParams] = useSearchParams();
  const code = readTyped(params.get("code") ?? "");
  // A failure keeps the shown list.
  const { data, error, refetch } = useRestQuery(["displays"], fetchDisplays, {
    refetchInterval: EVERY_MS,
    refetchIntervalInBackground: false,
  });
  const again = () => void refetch();
  const loading = data === null && error === null;
  const [changing, setChanging] = useState<Display | null>(null);
  const onCode = (next: string) => setParams(next === "" ? {} : { code: next }, { replace: true });
  return (
    <Stack gap="4" maxW="72rem">
      <PageHeading mb="0" title={t("title")} note={t("note")} />
      <Grid
        gap="4"
        maxW="72rem"
        alignItems="start"
        templateColumns={{ lg: "minmax(0, 1.4fr) minmax(20rem, 1fr)" }}
      >
        {changing === null && loading && <Skeleton height="12rem" />}
        {changing === null && !loading && (
          <AddDisplay
            code={code}
            count={data?.length ?? 0}
            onCode={onCode}
            onPaired={() => {
              onCode("");
              again();
            }}
          />
        )}
        {changing !== null && (
          <ChangeForm
            key={changing.id}
            display={changing}
            onDone={() => {
              setChanging(null);
              again();
            }}
          />
        )}
        <PairedDisplays paired={data} error={error} again={again} onChange={setChanging} />
      </Grid>
    </Stack>
  );
}

interface PairedDisplaysProps {
  /** Null until they are loaded. */
  readonly paired: readonly Display[] | null;
  readonly error: Error | null;
  readonly again: () => void;
  readonly onChange: (display: Display) => void;
}

function PairedDisplays({ paired, error, again, onChange }: PairedDisplaysProps) {
  const { t } = useTranslation("displays");
  const labels = useLabels();
  const own = useAccount();
  const claim = useClaim({ data: paired, error });
  const farmNames = new Map(useFarmsByName().map(({ id, name }) => [id, name]));
  const revoking = useDeletion<Display>({
    remove: (rest, { id }) => revokeDisplay(rest, id),
    removed: again,
  });
  return (
    <Card title={t("list.title")}>
      {paired === null && error === null && <Skeleton height="7rem" />}
      {paired === null && error !== null && (
        <ErrorNote retry={again}>{labels.error(errorCode(error))}</ErrorNote>
      )}
      {paired?.length === 0 && <Text {...NOTE}>{claim(t("list.empty"))}</Text>}
      {paired !== null &&
        byAccount(paired, String(own.id)).map(({ account, username, displays }) => (
          <chakra.section
            key={account}
            css={{
              "& + &": { mt: "3", pt: "3", borderTopWidth: "1px", borderTopColor: "border.strong" },
              "& > h3": { fontSize: "1.0625rem", fontWeight: "semibold", overflowWrap: "anywhere" },
            }}
          >
            {username !== null && (
              <h3>
                {username}{" "}
                <Text as="span" {...NOTE}>
                  {displays.length}
                </Text>
              </h3>
            )}
            <ul>
              {displays.map((display) => (
                <DisplayRow
                  key={display.id}
                  display={display}
                  farmNames={farmNames}
                  onChange={() => onChange(display)}
                  onRevoke={() => revoking.ask(display)}
                />
              ))}
            </ul>
          </chakra.section>
        ))}
      <DeletionQuestion
        deletion={revoking}
        title={t("revoke.title", { name: revoking.thing?.settings.name ?? "" })}
        confirmLabel={t("row.revoke")}
      >
        <p>{t("revoke.text")}</p>
      </DeletionQuestion>
    </Card>
  );
}

interface ChangeFormProps {
  readonly display: Display;
  readonly onDone: () => void;
}

/** Edit a paired display's settings; the display applies them as soon as they are stored. */
function ChangeForm({ display, onDone }: ChangeFormProps) {
  const { t } = useTranslation(["displays", "common"]);
  const { client } = useRest();
  const account = useAccount();
  const [initial] = useState(() => draftOf(display.settings));
  const isOwn = String(display.account) === String(account.id);
  const keep = async (settings: DisplaySettings) => {
    await changeDisplay(client, display.id, settings);
    toaster.create({ type: "success", title: t("change.done", { name: settings.name }) });
    onDone();
  };
  const top = useRef<HTMLDivElement>(null);
  // The clicked row may be far below the form.
  useEffect(() => top.current?.focus(), []);
  const mayFleet = (isOwn && account.userType === "ADMIN") || display.settings.pages.includes("fleet");
  return (
    <Box ref={top} css={{ "&:focus": { outline: "none" } }} tabIndex={-1}>
      <Card title={t("change.title", { name: display.settings.name })}>
        <DisplayForm
          values={initial}
          keep={keep}
          mayFleet={mayFleet}
          foreign={!isOwn}
          submit={t("common:action.save")}
          onCancel={onDone}
        />
      </Card>
    </Box>
  );
}

interface DisplayRowProps {
  readonly display: Display;
  readonly farmNames: ReadonlyMap<string, string>;
  readonly onChange: () => void;
  readonly onRevoke: () => void;
}

/** One display with its name, connection and content. */
function DisplayRow({ display, farmNames, onChange, onRevoke }: DisplayRowProps) {
  const { t } = useTranslation("displays");
  const times = useTimeTexts();
  const account = useAccount();
  const { settings, connected, lastSeenAt } = display;
  const { name, farms, pages, scope } = settings;
  // Displays of another account are listed below that account's name.
  const Name = String(display.account) === String(account.id) ? "h3" : "h4";
  const seen = connected
    ? t("row.connected")
    : lastSeenAt === null
      ? t("row.never")
      : t("row.seen", { time: times.dayTime(Date.parse(lastSeenAt)) });
  const shown =
    farms === null
      ? t("field.allFarms")
      : farms.map((id) => farmNames.get(String(id)) ?? t("row.farm", { id: String(id) })).join(", ");
  return (
    <Flex
      as="li"
      align="flex-start"
      justify="space-between"
      gap="3"
      py="3"
      css={{
        "& + &": { borderTopWidth: "1px" },
        "& :is(h3, h4)": { fontWeight: "semibold", overflowWrap: "anywhere" },
      }}
      data-testid="display-row"
    >
      <Stack gap="0.5" minW="0">
        <Name>{name}</Name>
        <chakra.p
          css={{
            "&::before": { content: '"○ "', color: "fg.subtle" },
            "&[data-connected]::before": { content: '"● "', color: "fg" },
          }}
          data-connected={connected || undefined}
        >
          {seen}
        </chakra.p>
        <Text {...NOTE}>{shown}</Text>
        <Text {...NOTE}>
          {pages.map((page) => t(`page.${page}`)).join(" · ")}
          {scope === "ack" && ` · ${t("row.acks")}`}
        </Text>
      </Stack>
      <OverflowMenu
        label={t("row.more", { name })}
        actions={[
          { key: "change", label: t("row.change"), onChoose: onChange },
          { key: "revoke", label: t("row.revoke"), danger: true, onChoose: onRevoke },
        ]}
      />
    </Flex>
  );
}
