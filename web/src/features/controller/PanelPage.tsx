import "./panel.css";
import { Box, Button, chakra, Grid, Text } from "@chakra-ui/react";
import { RotateCwIcon, Settings2Icon } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, Navigate, useSearchParams } from "react-router-dom";
import { refreshChannel } from "../../api/controllers.ts";
import { errorReason } from "../../api/errors.ts";
import { useRest } from "../../api/hooks.ts";
import { ErrorNote } from "../../components/alerts.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { IconButton, IconLink } from "../../components/icon-button.tsx";
import { PageHeading, ReturnLink } from "../../components/page-heading.tsx";
import { EmptyField } from "../../components/scenes/empty-field.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { DeadLetters } from "../../domain/device/DeadLetters.tsx";
import { UntilKnown } from "../../domain/farm/UntilKnown.tsx";
import { QualityMark } from "../../domain/reading/quality-mark.tsx";
import { ChannelChip } from "../../domain/valve/channel-chip.tsx";
import { nameInUnit } from "../../domain/valve/valve-title.ts";
import type { ValveUnit } from "../../domain/valve/valve-units.ts";
import { valveView } from "../../domain/valve/valve-view.ts";
import { OwnLink } from "../../domain/view-as/OwnLink.tsx";
import { useLabels } from "../../i18n/labels.ts";
import { useAge, useDrawnQuality } from "../../live/hooks.ts";
import { ChannelList } from "./ChannelList.tsx";
import { ChannelPanel } from "./ChannelPanel.tsx";
import { NoChannels } from "./NoChannels.tsx";
import { editPathOf } from "./unit-paths.ts";
import { useUnit } from "./use-units.ts";

/** dBm from which a signal has one, two, three and four bars. */
const STEPS = [-115, -100, -85, -70] as const;

/** Return the bars, 0 to 4, of a signal strength in dBm; 0 if unknown. */
function signalBars(rssi: number | null): number {
  return rssi === null ? 0 : STEPS.filter((step) => rssi >= step).length;
}

const HEIGHTS = [5, 9, 13, 17];

/** Signal strength as four bars with its dBm value. */
function SignalBars({ rssi }: { rssi: number | null }) {
  const { t } = useTranslation("common");
  const bars = signalBars(rssi);
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
        {HEIGHTS.map((height, index) => (
          <rect
            key={height}
            x={index * 6}
            y={18 - height}
            width="4"
            height={height}
            rx="1"
            data-on={index < bars || undefined}
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

type Refresh =
  | { readonly state: "idle" }
  /** Until it reports. */
  | { readonly state: "asking" }
  | { readonly state: "silent" }
  | { readonly state: "failed"; readonly reason: string };

/** Query a controller once; the live stream delivers the answer. */
function useRefresh(
  unit: ValveUnit,
  channel: { readonly id: string; readonly number: number } | undefined,
): { readonly refresh: Refresh; ask(): void } {
  const { client } = useRest();
  const [refresh, setRefresh] = useState<Refresh>({ state: "idle" });
  const { heardAt } = unit;
  const [lastReport, setLastReport] = useState(heardAt);
  if (lastReport !== heardAt) {
    setLastReport(heardAt);
    setRefresh({ state: "idle" });
  }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const ask = (): void => {
    if (!channel || refresh.state === "asking") return;
    setRefresh({ state: "asking" });
    clearTimeout(timer.current);
    const only = (from: Refresh["state"], to: Refresh) =>
      setRefresh((now) => (now.state === from ? to : now));
    timer.current = setTimeout(() => only("asking", { state: "silent" }), REFRESH_MS);
    // A COT sensor has no channel ids: the number takes their place.
    refreshChannel(client, unit.serial, unit.form === "controller" ? channel.id : channel.number).catch(
      (error: unknown) => only("asking", { state: "failed", reason: errorReason(error) }),
    );
  };
  return { refresh, ask };
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
      <EmptyState
        scene={<EmptyField />}
        title={t("gone")}
        action={
          <Button asChild variant="outline">
            <Link to="/sensors/cot">{t("toList")}</Link>
          </Button>
        }
      />
    </UntilKnown>
  );
}

/** Placeholder for heading, channels and valve. */
function PanelSkeleton() {
  return (
    <Box maxW="80rem" css={{ '& > [role="alert"]': { mb: "4" } }} aria-hidden>
      <Skeleton width="14rem" height="2.25rem" />
      <Grid
        templateColumns={{ base: "repeat(2, minmax(0, 1fr))", md: "repeat(auto-fit, minmax(9rem, 1fr))" }}
        gap="2"
        mb="4"
        css={{ "@media (max-width: 22rem)": { gridTemplateColumns: "minmax(0, 1fr)" } }}
      >
        {[1, 2, 3, 4].map((each) => (
          <Skeleton key={each} height="3.5rem" />
        ))}
      </Grid>
      <Skeleton height="14rem" />
    </Box>
  );
}

function UnitPanel({ unit }: { unit: ValveUnit }) {
  const { t } = useTranslation(["controller", "common"]);
  const labels = useLabels();
  const [params, setParams] = useSearchParams();
  const quality = useDrawnQuality(unit);
  const ageMs = useAge(unit.heardAt);
  const wanted = Number(params.get("ch"));
  const channel = unit.channels.find(({ value }) => value.number === wanted) ?? unit.channels[0];
  const { refresh, ask } = useRefresh(unit, channel && { id: channel.id, number: channel.value.number });
  const choose = (number: number) => {
    // Copy the parameters: unsaved values can block the navigation, and the address then stays unchanged.
    const next = new URLSearchParams(params);
    next.set("ch", `${number}`);
    setParams(next, { replace: true });
  };
  return (
    <Box maxW="80rem" css={{ '& > [role="alert"]': { mb: "4" } }}>
      <PageHeading
        broad
        lead={<ReturnLink otherwise="/sensors/cot" />}
        title={unit.name}
        note={`${labels.deviceType(unit.type)} · ${unit.serial}`}
        actions={
          <Text
            as="span"
            display="inline-flex"
            flexWrap="wrap"
            alignItems="center"
            rowGap="2"
            columnGap="4"
            color="fg.muted"
          >
            <SignalBars rssi={unit.rssi} />
            <QualityMark quality={quality} ageMs={ageMs} words />
            <chakra.span
              display="inline-flex"
              css={{
                "& [data-asking] > svg": { animation: "panel-asking 1s linear infinite" },
                "@media (prefers-reduced-motion: reduce)": {
                  "& [data-asking] > svg": { animation: "none", opacity: 0.5 },
                },
              }}
            >
              <IconButton
                label={t(refresh.state === "asking" ? "refreshing" : "refresh")}
                aria-disabled={refresh.state === "asking"}
                data-asking={refresh.state === "asking" || undefined}
                onClick={ask}
              >
                <RotateCwIcon />
              </IconButton>
              <IconLink component={OwnLink} to={editPathOf(unit)} label={t("edit", { name: unit.name })}>
                <Settings2Icon />
              </IconLink>
            </chakra.span>
          </Text>
        }
      />
      {refresh.state === "silent" && <ErrorNote>{t("refreshSilent")}</ErrorNote>}
      {refresh.state === "failed" && (
        <ErrorNote>
          {t("refreshFailed")} {labels.error(refresh.reason)}
        </ErrorNote>
      )}
      <DeadLetters id={unit.id} />
      <div className="panel-page__body">
        <Box minW="0">
          {unit.channels.length > 1 && (
            <Grid
              templateColumns={{
                base: "repeat(2, minmax(0, 1fr))",
                md: "repeat(auto-fit, minmax(9rem, 1fr))",
              }}
              gap="2"
              mb="4"
              css={{ "@media (max-width: 22rem)": { gridTemplateColumns: "minmax(0, 1fr)" } }}
              data-testid="channels"
            >
              {unit.channels.map((each) => (
                <ChipOf
                  key={each.id}
                  unit={unit}
                  channel={each}
                  selected={each === channel}
                  onSelect={choose}
                />
              ))}
            </Grid>
          )}
          {channel ? (
            <ChannelPanel key={channel.id} unit={unit} channel={channel} />
          ) : (
            <NoChannels unit={unit} />
          )}
        </Box>
        {unit.form === "controller" && channel && (
          <aside className="panel-page__sensors" aria-label={t("sensorsOfChannels")}>
            <ChannelList unit={unit} />
          </aside>
        )}
      </div>
    </Box>
  );
}

interface ChipOfProps {
  unit: ValveUnit;
  channel: ValveUnit["channels"][number];
  selected: boolean;
  onSelect: (number: number) => void;
}

function ChipOf({ unit, channel, selected, onSelect }: ChipOfProps) {
  const { t } = useTranslation("common");
  const { number, onoff, command, modes } = channel.value;
  const quality = useDrawnQuality(channel.value);
  const mode = modes?.active ?? "none";
  return (
    <ChannelChip
      name={nameInUnit(unit, channel)}
      number={number}
      view={valveView({ onoff, command, quality })}
      selected={selected}
      onSelect={() => onSelect(number)}
      letter={mode === "none" ? null : t(`mode.letter.${mode}`)}
    />
  );
}
