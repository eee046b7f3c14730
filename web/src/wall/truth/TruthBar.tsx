import type { DisplayPage } from "@mulkko/shared/rest/displays";
import { useDeviceTally, useLinks } from "../../farm/use-links.ts";
import { useLabels } from "../../i18n/labels.ts";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useLink, useServerTime } from "../../live/hooks.ts";
import type { Link, Links } from "../../ui/feedback/link-state.ts";
import { LinkMark } from "../../ui/feedback/link-strip.tsx";
import type { Turning } from "../turning/turning.ts";
import { useWaiting } from "../waiting.ts";
import { useWall } from "../wall-context.ts";
import { SkyNow } from "./SkyNow.tsx";
import "./truth-bar.css";

const LINKS = ["relay", "upstream", "device"] as const;

interface TruthBarProps {
  page: DisplayPage;
  stays: Turning["stays"];
  live: boolean;
}

/** "Are you seeing the truth?", over every page: whose screen it is, the three links with their ages, the time. */
export function TruthBar({ page, stays, live }: TruthBarProps) {
  const { t } = useTranslation("wall");
  const { settings } = useWall();
  const links = useLinks();
  // Nothing on the screen goes by it; whoever looks after the machine should know.
  const isClockOff = useLink((link) => link.clockOff !== null);
  return (
    <header className="truth-bar" data-live={live}>
      <div className="truth-bar__name">
        <h1>{settings.name}</h1>
        <p>
          {t(`page.${page}`)}
          <More />
          {stays !== null && ` · ${t(`stays.${stays}`)}`}
          {isClockOff && ` · ${t("truth.clock")}`}
        </p>
      </div>
      <TruthLinks links={links} />
      <div className="truth-bar__now">
        <SkyNow />
        <WallClock />
      </div>
    </header>
  );
}

/** How much of the page waits for another lap, and how much of that is not as it should be. */
function More() {
  const { t } = useTranslation("wall");
  const { count, wrong } = useWaiting();
  if (count === 0) return null;
  return (
    <>
      <b className="truth-bar__more" aria-hidden="true">
        {wrong === 0 ? ` +${count}` : t("more.short", { count, wrong })}
      </b>
      <span className="visually-hidden">
        {wrong === 0 ? t("more.calm", { count }) : t("more.wrong", { count, wrong })}
      </span>
    </>
  );
}

function TruthLinks({ links }: { links: Links }) {
  // An administrator's screen may show all accounts' devices and have none of its own.
  const hasDevices = useDeviceTally().total > 0;
  return (
    <ul className="truth-bar__links">
      {LINKS.filter((name) => name !== "device" || hasDevices).map((name) => (
        <TruthLink key={name} name={name} link={links[name]} />
      ))}
    </ul>
  );
}

function TruthLink({ name, link }: { name: (typeof LINKS)[number]; link: Link }) {
  const { t } = useTranslation("common");
  const { shortAge } = useLabels();
  return (
    <li className="truth-link" data-state={link.state}>
      <LinkMark state={link.state} />
      <span>{t(`link.short.${name}`)}</span>
      {link.state !== "up" && link.state !== "degraded" && <b>{t(`link.${link.state}`)}</b>}
      {link.ageMs !== null && <span className="truth-link__age">{shortAge(link.ageMs)}</span>}
    </li>
  );
}

/** The relay's time in the farm's zone: the screen's own clock may be anything. */
function WallClock() {
  const { words } = useWall();
  const time = useServerTime((now) => words.time(now));
  return <time className="truth-bar__clock">{time}</time>;
}
