import "./freshness-bar.css";
import type { DisplayPage } from "@mulkko/shared/rest/displays";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { RestClient } from "../../api/client.ts";
import { fetchWeather, WEATHER_EVERY_MS } from "../../api/weather.ts";
import { type Link, LinkMark, type Links } from "../../components/link-strip.tsx";
import { useDeviceTally, useLinks } from "../../domain/farm/use-links.ts";
import { stationIdOf, weatherView } from "../../domain/weather/weather-view.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useLink, useLinkQuality, useLive, useServerTime } from "../../live/hooks.ts";
import type { PageRotation } from "../rotation/rotation.ts";
import { usePolled } from "../use-polled.ts";
import { useWaiting } from "../waiting.ts";
import { useWall } from "../wall-context.ts";

interface FreshnessBarProps {
  page: DisplayPage;
  stays: PageRotation["stays"];
  live: boolean;
}

/** Show freshness over every page: the screen's name, the three links with their ages, the time. */
export function FreshnessBar({ page, stays, live }: FreshnessBarProps) {
  const { t } = useTranslation("wall");
  const { settings } = useWall();
  const links = useLinks();
  // Nothing depends on the machine's clock, but its maintainer should know.
  const isClockOff = useLink((link) => link.clockOff !== null);
  return (
    <header className="freshness-bar" data-live={live}>
      <div className="freshness-bar__name">
        <h1>{settings.name}</h1>
        <p>
          {t(`page.${page}`)}
          <More />
          {stays !== null && <span className="freshness-bar__stays"> · {t(`stays.${stays}`)}</span>}
          {isClockOff && ` · ${t("freshness.clock")}`}
        </p>
      </div>
      <FreshnessLinks links={links} />
      <div className="freshness-bar__now">
        <SkyNow />
        <WallClock />
      </div>
    </header>
  );
}

/** Show how many items wait for another lap, and how many of them have a problem. */
function More() {
  const { t } = useTranslation("wall");
  const { count, wrong } = useWaiting();
  // While the state of the hidden items is unknown, do not report it as good or bad (ONL-2).
  const known = useLinkQuality() === "fresh";
  if (count === 0) return null;
  return (
    <>
      <b className="freshness-bar__more" data-wrong={known && wrong > 0} aria-hidden="true">
        {wrong === 0 || !known ? ` +${count}` : t("more.short", { count, wrong })}
      </b>
      <span className="visually-hidden">
        {!known
          ? t("more.unknown", { count })
          : wrong === 0
            ? t("more.calm", { count })
            : t("more.wrong", { count, wrong })}
      </span>
    </>
  );
}

function FreshnessLinks({ links }: { links: Links }) {
  const { t } = useTranslation("common");
  const { fresh, total } = useDeviceTally();
  const { relay, upstream, device } = links;
  return (
    <ul className="freshness-bar__links">
      <FreshnessLink name="relay" link={relay} />
      <FreshnessLink name="upstream" link={upstream} />
      {/* An administrator's screen may show all accounts' devices and have no own ones. */}
      {total > 0 &&
        (device.state === "degraded" ? (
          <li className="freshness-link" data-state={device.state}>
            <LinkMark state={device.state} />
            <b>{t("link.deviceShare", { fresh, count: total })}</b>
          </li>
        ) : (
          <FreshnessLink name="device" link={device} />
        ))}
    </ul>
  );
}

function FreshnessLink({ name, link }: { name: keyof Links; link: Link }) {
  const { t } = useTranslation("common");
  const { shortAge } = useLabels();
  return (
    <li className="freshness-link" data-state={link.state}>
      <LinkMark state={link.state} />
      <span>{t(`link.short.${name}`)}</span>
      {link.state !== "up" && <b>{t(`link.${link.state}`)}</b>}
      {link.ageMs !== null && <span className="freshness-link__age">{shortAge(link.ageMs)}</span>}
    </li>
  );
}

/** Show the relay's time in the farm's zone: the screen's clock may be wrong. */
function WallClock() {
  const { texts } = useWall();
  const time = useServerTime((now) => texts.time(now));
  return <time className="freshness-bar__clock">{time}</time>;
}

/** Show the outside temperature and the sky condition, as far as they are known. */
function SkyNow() {
  const { i18n } = useTranslation("common");
  const ask = useCallback(
    (rest: RestClient, signal: AbortSignal) => fetchWeather(rest, null, i18n.language, signal),
    [i18n.language],
  );
  const { value: weather } = usePolled(ask, WEATHER_EVERY_MS);
  const links = useLinkQuality();
  const station = useLive("sensor", stationIdOf(weather?.weather));
  const view = weather && weatherView(weather, links, station);
  if (!view || view.temperature === null || view.quality === "offline" || view.quality === "unknown")
    return null;
  return (
    <span className="freshness-bar__sky" data-testid="sky">
      {Math.round(view.temperature)}°{view.description !== null && ` ${view.description}`}
    </span>
  );
}
