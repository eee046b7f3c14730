import "./panel.css";
import { Box, chakra, Flex, Grid, Stack, Text } from "@chakra-ui/react";
import { useMutation } from "@tanstack/react-query";
import { RotateCwIcon, Settings2Icon } from "lucide-react";
import { useCallback, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, useSearchParams } from "react-router-dom";
import { refreshChannel } from "../../api/controllers.ts";
import { errorReason } from "../../api/errors.ts";
import { useRest } from "../../api/hooks.ts";
import { ErrorNote } from "../../components/alerts.tsx";
import { IconButton, IconLink } from "../../components/icon-button.tsx";
import { PageHeading, ReturnLink } from "../../components/page-heading.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { ClockFault } from "../../domain/device/ClockFault.tsx";
import { DeadLetters } from "../../domain/device/DeadLetters.tsx";
import { unitEditPath } from "../../domain/farm/device-paths.ts";
import { UntilKnown } from "../../domain/farm/UntilKnown.tsx";
import { FormPageEmpty } from "../../domain/form/form-page.tsx";
import { QualityMark } from "../../domain/reading/quality-mark.tsx";
import { useNamesBeside } from "../../domain/valve/names-beside.ts";
import { ThingTitle } from "../../domain/valve/thing-title.tsx";
import { useValveView } from "../../domain/valve/unanswered.ts";
import { ValveSymbol } from "../../domain/valve/valve-symbol.tsx";
import { valveTexts } from "../../domain/valve/valve-texts.ts";
import { type UnitChannel, type ValveUnit, valveUnits } from "../../domain/valve/valve-units.ts";
import { viewMarks } from "../../domain/valve/valve-view.ts";
import { OwnLink } from "../../domain/view-as/OwnLink.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { type LiveFarm, useAge, useDrawnQuality, useLiveSelection } from "../../live/hooks.ts";
import { useMedia, useSurface } from "../../theme/use-surface.ts";
import { ChannelList } from "./ChannelList.tsx";
import { ChannelPanel } from "./ChannelPanel.tsx";
import { NoChannels } from "./NoChannels.tsx";

/** Bars of a signal strength: each is filled from its dBm on, and its height is CSS px. */
const BARS = [
  { from: -115, height: 5 },
  { from: -100, height: 9 },
  { from: -85, height: 13 },
  { from: -70, height: 17 },
] as const;

/** Signal strength as four bars with its dBm value. */
function SignalBars({ rssi }: { rssi: number | null }) {
  const { t } = useTranslation("common");
  return (
    <Text
      as="span"
      display="inline-flex"
      alignItems="center"
      gap="0.4rem"
      fontSize="caption"
      css={{
        "& rect": { fill: "var(--mk-colors-border)" },
        "& rect[data-on]": { fill: "var(--mk-colors-fg-muted)" },
      }}
      title={t("field.rssi")}
    >
      <svg viewBox="0 0 22 18" width="22" height="18" aria-hidden>
        {BARS.map(({ from, height }, index) => (
          <rect
            key={height}
            x={index * 6}
            y={18 - height}
            width="4"
            height={height}
            rx="1"
            data-on={(rssi !== null && rssi >= from) || undefined}
          />
        ))}
      </svg>
      <span className="visually-hidden">{t("field.rssi")}</span>
      {rssi === null ? "--" : `${Math.round(rssi)} dBm`}
    </Text>
  );
}

/** Milliseconds until the page says that a queried controller has not answered. */
const REFRESH_MS = 10_000;

const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Query a controller once; the live stream delivers the answer. */
function useRefresh(unit: ValveUnit, channel: UnitChannel | undefined) {
  const { client } = useRest();
  const { heardAt } = unit;
  const { mutate, status, variables, error } = useMutation({
    async mutationFn({ of: { id, value } }: { of: UnitChannel; since: string | null }) {
      // A COT sensor has no channel ids: the number takes their place.
      const answer = refreshChannel(client, unit.serial, unit.form === "controller" ? id : value.number);
      await Promise.race([after(REFRESH_MS), answer.then(() => after(REFRESH_MS))]);
    },
  });
  // A report of the controller ends the query.
  const state = variables?.since === heardAt ? status : "idle";
  return {
    /** `success`: the controller has not reported in time. */
    state,
    error,
    ask() {
      if (channel && state !== "pending") mutate({ of: channel, since: heardAt });
    },
  };
}

const UNIT_KINDS = ["controller", "channel", "sensor"] as const;

/** Return one controller or COT sensor; null if it does not exist. */
function useUnit(id: string): ValveUnit | null {
  return useLiveSelection(
    UNIT_KINDS,
    useCallback((live: LiveFarm) => valveUnits(live).find((unit) => unit.id === id) ?? null, [id]),
  );
}

/** One controller: its channels, and the valve of the selected one. `cotId` and `ch` are in the address. */
export function PanelPage() {
  const { t } = useTranslation(["controller", "common"]);
  const [params] = useSearchParams();
  const id = params.get("cotId");
  const unit = useUnit(id ?? "");
  if (id === null) return <Navigate to="/sensors/cot" replace />;
  if (unit) return <UnitPanel unit={unit} />;
  return (
    <UntilKnown loading={<PanelSkeleton />}>
      <FormPageEmpty title={t("gone")} to="/sensors/cot" toList={t("toList")} />
    </UntilKnown>
  );
}

const PAGE = { maxW: "80rem", css: { '& > [role="alert"]': { mb: "4" } } } as const;

/** Valves from which on a phone lists them below one another, so that their names are whole. */
const MANY = 4;

/** A phone with large letters, or on its side: what is about the controller follows the valve, too (UI-7). */
const LARGE_LETTERS = "(max-width: 22rem)";
const ON_ITS_SIDE = "(max-height: 30rem)";

/** On a phone the valve comes first, and those beside it on the controller follow (UI-3). */
const CHANNELS = {
  templateColumns: { base: "repeat(2, minmax(0, 1fr))", md: "repeat(auto-fit, minmax(11rem, 1fr))" },
  gap: "2",
  mb: { md: "4" },
  mt: { base: "4", md: "0" },
  css: {
    "[data-surface=phone] &[data-many]": { gridTemplateColumns: "minmax(0, 1fr)" },
    "@media (max-width: 22rem)": { gridTemplateColumns: "minmax(0, 1fr)" },
  },
} as const;

/** Placeholder for heading, channels and valve. */
function PanelSkeleton() {
  return (
    <Box {...PAGE} aria-hidden>
      <Skeleton width="14rem" height="2.25rem" />
      <Grid {...CHANNELS}>
        {[1, 2, 3, 4].map((each) => (
          <Skeleton key={each} height="3.5rem" />
        ))}
      </Grid>
      <Skeleton height="14rem" />
    </Box>
  );
}

/** Place the channels' sensors left of the valve if there is room; in reading order they follow it. */
const BODY = {
  templateColumns: "minmax(0, 1fr)",
  gap: "4",
  css: {
    "@media (min-width: 70rem)": {
      "&:has(> aside)": { gridTemplateColumns: "minmax(17rem, 21rem) minmax(0, 1fr)" },
      "& > aside": { gridArea: "1 / 1" },
    },
  },
} as const;

const ASKING = {
  "& [data-asking] > svg": { animation: "spin 1s linear infinite" },
  "@media (prefers-reduced-motion: reduce)": { "& [data-asking] > svg": { animation: "none", opacity: 0.5 } },
};

/** Begin at the top of the page when another valve is selected: on a phone the list is below the valve. */
function useTopOfPage(channelId: string | undefined, isBelow: boolean) {
  const shown = useRef(channelId);
  useEffect(() => {
    if (shown.current === channelId) return;
    shown.current = channelId;
    if (!isBelow) return;
    document.getElementById("main")?.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  }, [channelId, isBelow]);
}

interface UnitStateProps {
  unit: ValveUnit;
  refresh: ReturnType<typeof useRefresh>;
}

/** Show the controller's signal and quality, with the ways to query and to edit it. */
function UnitState({ unit, refresh }: UnitStateProps) {
  const { t } = useTranslation("controller");
  const quality = useDrawnQuality(unit);
  const ageMs = useAge(unit.heardAt);
  const isAsking = refresh.state === "pending";
  return (
    <Flex as="span" wrap="wrap" align="center" rowGap="2" columnGap="4" color="fg.muted">
      <SignalBars rssi={unit.rssi} />
      <QualityMark quality={quality} ageMs={ageMs} texts />
      <chakra.span display="inline-flex" css={ASKING}>
        <IconButton
          label={t(isAsking ? "refreshing" : "refresh")}
          aria-disabled={isAsking}
          data-asking={isAsking || undefined}
          onClick={refresh.ask}
        >
          <RotateCwIcon />
        </IconButton>
        <IconLink component={OwnLink} to={unitEditPath(unit)} label={t("edit", { name: unit.name })}>
          <Settings2Icon />
        </IconLink>
      </chakra.span>
    </Flex>
  );
}

function UnitPanel({ unit }: { unit: ValveUnit }) {
  const { t } = useTranslation(["controller", "common"]);
  const labels = useLabels();
  const [params, setParams] = useSearchParams();
  const wanted = Number(params.get("ch"));
  const channel = unit.channels.find(({ value }) => value.number === wanted) ?? unit.channels[0];
  const refresh = useRefresh(unit, channel);
  const phone = useSurface() === "phone";
  const isLow = useMedia(ON_ITS_SIDE);
  const isTight = useMedia(LARGE_LETTERS) || isLow;
  const valveFirst = phone || isLow;
  // Without a valve nothing follows it.
  const unitBelow = isTight && channel !== undefined;
  const names = useNamesBeside(unit);
  useTopOfPage(channel?.id, valveFirst);
  const note = `${labels.deviceType(unit.type)} · ${unit.serial}`;
  const actions = <UnitState unit={unit} refresh={refresh} />;
  const choose = (number: number) => {
    // Copy the parameters: unsaved values can block the navigation, and the address then stays unchanged.
    const next = new URLSearchParams(params);
    next.set("ch", `${number}`);
    setParams(next, { replace: true });
  };
  const channels = unit.channels.length > 1 && (
    <Grid
      key="channels"
      {...CHANNELS}
      data-many={unit.channels.length >= MANY || undefined}
      data-testid="channels"
    >
      {unit.channels.map((each) => (
        <ChannelChip
          key={each.id}
          name={names.get(each.id) ?? null}
          channel={each}
          selected={each === channel}
          onSelect={choose}
        />
      ))}
    </Grid>
  );
  const below = valveFirst && (
    <Box gridColumn="1 / -1">
      {unitBelow && (
        <Stack color="fg.muted">
          {note}
          {actions}
        </Stack>
      )}
      {channels}
    </Box>
  );
  const panel = channel ? (
    <ChannelPanel key={channel.id} unit={unit} channel={channel} beside={below} />
  ) : (
    <NoChannels unit={unit} />
  );
  return (
    <Box {...PAGE}>
      <PageHeading
        broad
        {...(isLow && { mb: "0" })}
        lead={<ReturnLink otherwise="/sensors/cot" />}
        title={unit.name}
        note={unitBelow ? undefined : note}
        actions={unitBelow ? undefined : actions}
      />
      {refresh.state === "success" && <ErrorNote>{t("refreshSilent")}</ErrorNote>}
      {refresh.state === "error" && (
        <ErrorNote>
          {t("refreshFailed")} {labels.error(errorReason(refresh.error))}
        </ErrorNote>
      )}
      <ClockFault since={channel?.value.clockWrongSince} />
      <Grid {...BODY}>
        <Box minW="0">
          {!valveFirst && channels}
          {panel}
        </Box>
        {unit.form === "controller" && channel && (
          <Stack as="aside" gap="4" minW="0" aria-label={t("sensorsOfChannels")}>
            <ChannelList unit={unit} />
          </Stack>
        )}
      </Grid>
      <Box mt="4">
        <DeadLetters id={unit.id} />
      </Box>
    </Box>
  );
}

interface ChannelChipProps {
  /** Name beside the others; null for a valve that is named after its controller. */
  name: string | null;
  channel: UnitChannel;
  selected: boolean;
  onSelect: (number: number) => void;
}

const CHIP = {
  display: "flex",
  alignItems: "center",
  gap: "2",
  minH: "14",
  py: "1.5",
  ps: "2.5",
  pe: "3.5",
  layerStyle: "panel",
  textAlign: "start",
  cursor: "pointer",
  "& > span": { display: "grid", gridTemplateColumns: "minmax(0, 1fr)", minW: "0", lineHeight: "1.25" },
  "& .thing-title": { alignItems: "baseline", columnGap: "1.5", fontSize: "label", fontWeight: "600" },
  // The name has two lines; where letters are large, as many as it needs.
  "& .thing-title__name": { lineClamp: "2", whiteSpace: "normal" },
  "@media (max-width: 22rem)": {
    "& .thing-title": { flexWrap: "wrap" },
    "& .thing-title__name": { display: "block", overflow: "visible" },
  },
  "& .thing-title__channel": {
    px: "1",
    borderWidth: "1px",
    rounded: "sm",
    color: "fg.muted",
    fontSize: "caption",
    fontWeight: "500",
  },
  "& .thing-title + span": { color: "fg.muted", fontSize: "caption" },
  "&[aria-pressed=true]": { borderColor: "fg", boxShadow: "inset 0 0 0 1px {colors.fg}" },
  "&[data-kind=mismatch]": { borderColor: "alarm.p1.fg", bg: "alarm.p1.tint" },
  "&:is([data-kind=unknown], [data-kind=last])": { borderStyle: "dashed", borderColor: "border.strong" },
  "&[data-kind=open] .thing-title + span": { color: "flow", fontWeight: "600" },
};

/** Selectable valve of a controller: its name, its number as a small mark, symbol and state as text. */
function ChannelChip({ name, channel, selected, onSelect }: ChannelChipProps) {
  const { t } = useTranslation("common");
  const { number, modes } = channel.value;
  const view = useValveView(channel.value);
  const mode = modes?.active ?? "none";
  return (
    <chakra.button
      type="button"
      className="channel-chip"
      css={CHIP}
      {...viewMarks(view)}
      aria-pressed={selected}
      onClick={() => onSelect(number)}
    >
      <ValveSymbol view={view} letter={mode === "none" ? null : t(`mode.letter.${mode}`)} size={32} />
      <span>
        <ThingTitle name={name} number={number} />
        <span>{valveTexts(t, view)}</span>
      </span>
    </chakra.button>
  );
}
