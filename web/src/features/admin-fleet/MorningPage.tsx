import { Box, Flex, Grid, Text } from "@chakra-ui/react";
import { relayPath } from "@mulkko/shared/rest/routes";
import { RelayStorage } from "@mulkko/shared/rest/storage";
import { zoneNamed } from "@mulkko/shared/rules/calendar";
import { MISSING } from "@mulkko/shared/rules/format";
import { newestTime } from "@mulkko/shared/rules/zoneless-time";
import { RadioIcon, TriangleAlertIcon, UserIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import { fetchBackupState } from "../../api/admin.ts";
import type { RestClient } from "../../api/client.ts";
import { useApiZone, useExtension } from "../../api/extensions.ts";
import { useLastAnswer, useRestQuery } from "../../api/queries.tsx";
import { ErrorNote } from "../../components/alerts.tsx";
import { PageHeading } from "../../components/page-heading.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { ALARMS_PATH } from "../../domain/alarm/present-alarms.ts";
import { FirstSteps } from "../../domain/farm/FirstSteps.tsx";
import type { FleetState } from "../../domain/fleet/device-state.ts";
import {
  useAskingTexts,
  useFleet,
  useFleetSelection,
  useFleetStatus,
  useFleetTally,
  useLoadingTexts,
} from "../../domain/fleet/hooks.ts";
import { fleetTellsOwners } from "../../domain/fleet/morning.ts";
import { StateShape } from "../../domain/fleet/StateMark.tsx";
import { DEFAULT_ZONE, useTimeTexts } from "../../domain/time/use-time-texts.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useIsLive, useKnowledge, useLink, useLinkQuality, useServerNow } from "../../live/hooks.ts";
import { ContactsCard, KnocksCard, OddFieldsCard } from "./api-cards.tsx";
import { AccountsCard, CommandsCard, FlipsCard, SilentCard, TasksCard } from "./fleet-cards.tsx";
import { UrgentCard, useUrgentCount } from "./UrgentCard.tsx";
import { UnwatchedCard, WaterCard } from "./water-cards.tsx";

/** Polling interval while the page is live, ms. */
const ASK_EVERY_MS = 60_000;
/** Days before a disk is full at which the note appears. */
const SAID_FROM_DAYS = 14;
const GIGABYTE = 1e9;

const fetchStorage = (rest: RestClient, signal: AbortSignal) =>
  rest.call({ method: "GET", path: relayPath.storage, answer: RelayStorage, signal });

/** Show that readings are not stored, or that the disk will soon be full. */
function StorageNote() {
  const { t } = useTranslation(["common", "morning"]);
  const { dayTime } = useTimeTexts();
  const trouble = useLink((link) => link.relay?.notStoring ?? null);
  // The report is loaded again when storing starts or stops.
  const { data } = useRestQuery(["storage", trouble?.fault ?? null], fetchStorage, {
    enabled: useIsLive(),
    refetchInterval: ASK_EVERY_MS,
  });
  // The last report stays without an answer: the link state shows the failure.
  const disk = useLastAnswer(data)?.storage?.disk ?? null;
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

/** Polling interval, ms; backups run once a day. */
const ASK_BACKUP_EVERY_MS = 10 * 60_000;

/** Show the newest backup in one line, as an error if it is too old. */
function BackupLine() {
  const { t } = useTranslation("morning");
  const labels = useLabels();
  const { dayTime } = useTimeTexts();
  const now = useServerNow();
  const zone = zoneNamed(useApiZone() ?? DEFAULT_ZONE);
  const live = useIsLive();
  const offers = useExtension("backups");
  // The last state stays if the farm API does not answer: the header shows the outage.
  const { data: state, error } = useRestQuery(["backups"], fetchBackupState, {
    enabled: live && offers,
    refetchInterval: ASK_BACKUP_EVERY_MS,
  });
  const { known } = useKnowledge({ data: state, error });
  if (state === null || state.kept === "off") return null;
  const { kept, newestDate, overdue } = state;
  const at = newestTime(newestDate, zone, { now: now() });
  const last = at === null ? null : t("backup.last", { time: dayTime(at), ago: labels.age(now() - at) });
  if (!overdue)
    return (
      <Text mb="3" color="fg.muted" fontSize="label">
        {last ?? (known && t("backup.none"))}
      </Text>
    );
  const sentences = [t("backup.overdue"), ...(last === null ? [] : [last]), t(`backup.${kept}`)];
  return <ErrorNote>{sentences.join(" ")}</ErrorNote>;
}

/** Always shown; the other two states only if devices have them. */
const ALWAYS: readonly FleetState[] = ["fresh", "late", "offline"];
const ORDER: readonly FleetState[] = ["fresh", "late", "lost", "offline", "unknown", "never"];

const TILE = {
  '&[data-priority] [data-testid="state-count"]': { color: "var(--alarm-fg)" },
  "&[data-priority]": { borderColor: "var(--alarm-fg)", bg: "var(--alarm-tint)" },
  '&[data-state="none"] [data-testid="state-count"]': { color: "fg.subtle" },
  '&[data-state="offline"]': {
    borderColor: "alarm.p2.fg",
    bg: "alarm.p2.tint",
    "& > :first-child, & .state-mark": { color: "alarm.p2.fg" },
  },
};

/** Show the number of urgent alarms of all accounts; `--` while none is known and not all are read (WARN-4). */
function UrgentTile() {
  const { t } = useTranslation("urgent");
  const { p1, p2, known } = useUrgentCount();
  const isSure = useLinkQuality() === "fresh" && known;
  const count = p1 + p2;
  return (
    <li>
      <Grid asChild gap="1" px="4" py="3" layerStyle="panel" _hover={{ borderColor: "fg.subtle" }} css={TILE}>
        <Link
          data-priority={count === 0 ? undefined : p1 > 0 ? 1 : 2}
          data-state={count === 0 ? "none" : undefined}
          to={ALARMS_PATH}
        >
          <Flex as="span" align="center" gap="1.5" color="fg.muted" fontSize="label" fontWeight="medium">
            <TriangleAlertIcon size={14} />
            {t("tile")}
          </Flex>
          <Text as="span" textStyle="reading" lineHeight="1.1" data-testid="state-count">
            {count === 0 && !isSure ? MISSING : count}
          </Text>
        </Link>
      </Grid>
    </li>
  );
}

/**
 * Show the numbers of online, late and offline devices over all accounts, no better than the links allow
 * (ONL-2).
 */
function StateTiles() {
  const { t } = useTranslation(["morning", "fleet"]);
  const { link, tally } = useFleetTally();
  const loading = useLoadingTexts();
  return (
    <Grid
      as="ul"
      templateColumns={{ base: "repeat(6, minmax(0, 1fr))", md: "repeat(auto-fit, minmax(7rem, 1fr))" }}
      gap={{ base: "2", md: "3" }}
      css={{
        // Three in a row on a phone; what is over three shares rows of two.
        mdDown: {
          "& > li": { gridColumn: "span 2" },
          "& > :nth-child(n + 4)": { gridColumn: "span 3" },
          "&:has(> :nth-child(4):last-child) > li": { gridColumn: "span 3" },
        },
        // A part of the whole does not look like the whole.
        '&[data-loading] [data-testid="state-count"]': { color: "fg.muted", fontStyle: "italic" },
      }}
      aria-label={loading === null ? t("tally") : `${t("tally")}. ${loading}`}
      data-loading={loading === null ? undefined : true}
    >
      <UrgentTile />
      {ORDER.filter((state) => ALWAYS.includes(state) || tally[state] > 0).map((state) => (
        <li key={state}>
          <Grid
            asChild
            gap="1"
            px="4"
            py="3"
            layerStyle="panel"
            _hover={{ borderColor: "fg.subtle" }}
            css={TILE}
          >
            <Link
              data-state={tally[state] > 0 ? state : "none"}
              // The board cannot filter by states that come from the links alone.
              to={link === "fresh" ? `/adminpage/status?state=${state}` : "/adminpage/status"}
            >
              <Flex as="span" align="center" gap="1.5" color="fg.muted" fontSize="label" fontWeight="medium">
                <StateShape state={state} />
                {t(`fleet:state.${state}`)}
              </Flex>
              <Text as="span" textStyle="reading" lineHeight="1.1" data-testid="state-count">
                {tally[state]}
              </Text>
            </Link>
          </Grid>
        </li>
      ))}
    </Grid>
  );
}

const SIZES = ["device", "account"] as const;

/** `/adminpage`: overview of all accounts for an administrator, live. */
export function MorningPage() {
  const { t } = useTranslation(["morning", "fleet"]);
  const labels = useLabels();
  useFleet();
  const status = useFleetStatus();
  const devices = useFleetSelection(SIZES, (store) => store.all("device").size);
  const accounts = useFleetSelection(SIZES, (store) => store.all("account").size);
  const loading = useLoadingTexts();
  const asking = useAskingTexts();
  const tellsOwners = useFleetSelection(SIZES, fleetTellsOwners);
  const counted = t("devices", { count: devices });
  const counts = tellsOwners ? t("note", { count: accounts, devices: counted }) : counted;
  const writesContacts = useExtension("audit");
  const listsKnocks = useExtension("dead-letters");
  return (
    <Box css={{ '& > [role="alert"]': { mb: "4" } }}>
      <PageHeading
        broad
        title={t("title")}
        note={loading ?? (devices > 0 ? [counts, asking].filter(Boolean).join(" · ") : undefined)}
        actions={
          <>
            <TextLink look={{ textStyle: "label" }} to="/adminpage/users">
              <UserIcon />
              {t("users")}
            </TextLink>
            <TextLink look={{ textStyle: "label" }} to="/adminpage/sensors">
              <RadioIcon />
              {t("sensors")}
            </TextLink>
          </>
        }
      />
      <StorageNote />
      <BackupLine />
      {status.state === "refused" && (
        <ErrorNote>
          {t("fleet:refused")}. {labels.error(status.code)}
        </ErrorNote>
      )}
      {devices === 0 && status.state !== "here" ? (
        status.state === "coming" && <Skeleton height="24rem" />
      ) : (
        <Grid alignContent="start" gap="4" minW="0">
          <Grid
            templateColumns={{ base: "minmax(0, 1fr)", lg: "minmax(0, 2fr) minmax(0, 1fr)" }}
            alignItems="start"
            gap="4"
          >
            <UrgentCard />
            <Grid alignContent="start" gap="4" minW="0">
              <WaterCard />
              <UnwatchedCard />
            </Grid>
          </Grid>
          {accounts <= 1 && <FirstSteps />}
          <StateTiles />
          <Grid
            templateColumns={{
              base: "minmax(0, 1fr)",
              lg: "repeat(2, minmax(0, 1fr))",
              xl: "repeat(3, minmax(0, 1fr))",
            }}
            gap="4"
          >
            <Grid alignContent="start" gap="4" minW="0">
              <SilentCard />
              <FlipsCard />
            </Grid>
            <Grid alignContent="start" gap="4" minW="0">
              <TasksCard />
              <CommandsCard />
            </Grid>
            <Grid alignContent="start" gap="4" minW="0">
              <AccountsCard />
              {writesContacts && <ContactsCard />}
              {listsKnocks && <KnocksCard />}
              <OddFieldsCard />
            </Grid>
          </Grid>
        </Grid>
      )}
    </Box>
  );
}
