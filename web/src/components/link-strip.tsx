import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useLabels } from "../i18n/labels.ts";
import { useSurface } from "../theme/use-surface.ts";
import "./link-strip.css";

/** State of one of the three links. */
export type LinkState = "up" | "connecting" | "degraded" | "down" | "unknown" | "clock";

/** One link: its state and the age of its last sign of life, ms; null if there was none. */
export interface Link {
  readonly state: LinkState;
  readonly ageMs: number | null;
}

/** The three links between a user and a device (ONL-4). */
export interface Links {
  /** Screen to relay. */
  readonly relay: Link;
  /** Relay to farm API and broker. */
  readonly upstream: Link;
  /** The devices: the newest sign of life of any of them. */
  readonly device: Link;
}

/**
 * Show a link's state by shape, never by colour alone: filled = up, half = slow or checking, hollow = down,
 * dashed = unknown.
 */
export function LinkMark({ state }: { state: LinkState }) {
  return (
    <svg className="link-mark" data-state={state} viewBox="0 0 12 12" aria-hidden>
      <circle cx="6" cy="6" r="4.5" />
      {(state === "degraded" || state === "connecting") && <path d="M6 1.5a4.5 4.5 0 0 1 0 9z" />}
      {state === "clock" && <path className="link-mark__hand" d="M6 3.5V6l1.8 1.2" />}
      {state === "down" && <path className="link-mark__hand" d="m3 9 6-6" />}
    </svg>
  );
}

interface LinkItemProps {
  name: "relay" | "upstream" | "device";
  link: Link;
  short: boolean;
}

function LinkItem({ name, link, short }: LinkItemProps) {
  const { t } = useTranslation("common");
  const { shortAge } = useLabels();
  // A link without known problems needs no name; three names would take three lines.
  const markOnly = short && (link.state === "up" || link.state === "unknown");
  return (
    <li className="link-strip__item" data-state={link.state}>
      <LinkMark state={link.state} />
      <span className={markOnly ? "visually-hidden" : undefined}>
        {t(short ? `link.short.${name}` : `link.${name}`)}
      </span>
      {link.state !== "up" && (
        <span className={markOnly ? "visually-hidden" : "link-strip__state"}>{t(`link.${link.state}`)}</span>
      )}
      {link.ageMs !== null && <span className="link-strip__age">{shortAge(link.ageMs)}</span>}
    </li>
  );
}

/**
 * Show the three links with their ages, always visible. On a phone a link that is up shows mark and age, and
 * an unknown one its mark. Any other also shows its name.
 *
 * @param share replaces the devices' name and age; null if there are no devices
 */
export function LinkStrip({ links, share }: { links: Links; share?: ReactNode }) {
  const short = useSurface() === "phone";
  return (
    <ul className="link-strip" data-short={short || undefined}>
      <LinkItem name="relay" link={links.relay} short={short} />
      <LinkItem name="upstream" link={links.upstream} short={short} />
      {share === undefined ? (
        <LinkItem name="device" link={links.device} short={short} />
      ) : share === null ? null : (
        <li className="link-strip__item" data-state={links.device.state}>
          <LinkMark state={links.device.state} />
          {share}
        </li>
      )}
    </ul>
  );
}
