import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router-dom";
import { PageHeading, ReturnLink } from "../../components/page-heading.tsx";
import { LatestBadges } from "../../domain/log/LatestBadges.tsx";
import { LogBoard } from "../../domain/log/LogBoard.tsx";
import { readChoice, writeChoice } from "../../domain/log/range/range.ts";
import type { LogSource } from "../../domain/log/sources/source.ts";
import { createdDay } from "./created-day.ts";
import type { FarmItem } from "./farm-list.ts";
import { farmPath } from "./paths.ts";
import { type Chosen, writeChosen } from "./selection.ts";
import "./devices.css";

/** Return the chosen devices as sources of the log: a controller stands for all of its channels. */
function sourcesOf(farm: FarmItem, { ids, cots }: Chosen): LogSource[] {
  const channels = farm.units
    .filter(({ id }) => cots.includes(id))
    .flatMap((box) => box.channels.map(({ number }): LogSource => ({ kind: "channel", id: box.id, number })));
  return [...ids.map((id): LogSource => ({ kind: "sensor", id })), ...channels];
}

/** The chosen devices of a farm: who they are, what they say now, and their past. */
export function ChosenDevices({ farm, chosen }: { farm: FarmItem; chosen: Chosen }) {
  const { t } = useTranslation(["irrigation", "common"]);
  const [params, setParams] = useSearchParams();
  const search = params.toString();
  const choice = useMemo(() => readChoice(new URLSearchParams(search)), [search]);
  const devices = farm.devices.filter(({ id }) => chosen.ids.includes(id) || chosen.cots.includes(id));
  const [first, ...others] = devices;
  const last = devices.findLast(({ kind }) => kind === "sensor");
  const sources = useMemo(() => sourcesOf(farm, chosen), [farm, chosen]);
  const back = writeChosen(new URLSearchParams(params), chosen);
  back.delete("show");
  const created = first && others.length === 0 ? createdDay(first.createdDate) : null;
  return (
    <div className="chosen">
      <PageHeading
        mb="1"
        lead={<ReturnLink otherwise={`/irrigation/farm?${back}`} />}
        title={
          first
            ? others.length === 0
              ? first.name
              : t("select.names", { name: first.name, count: others.length })
            : t("select.gone")
        }
        note={[farm.name, ...(created === null ? [] : [t("created", { date: created })])].join(" · ")}
      />
      {first ? (
        <>
          {last && <LatestBadges id={last.id} />}
          <LogBoard
            sources={sources}
            choice={choice}
            onChoose={(next) => setParams(writeChoice(params, next), { replace: true })}
          />
        </>
      ) : (
        <Link to={farmPath(farm.id)}>{farm.name}</Link>
      )}
    </div>
  );
}
