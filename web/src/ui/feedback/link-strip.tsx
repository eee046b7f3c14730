import { useTranslation } from "react-i18next";
import { useLabels } from "../../i18n/labels.ts";
import type { Link, LinkState, Links } from "./link-state.ts";
import "./link-strip.css";

/** A link's mark: filled = up, half = slow, hollow = down, dashed = cannot tell. Never told by colour. */
export function LinkMark({ state }: { state: LinkState }) {
  return (
    <svg className="link-mark" data-state={state} viewBox="0 0 12 12" aria-hidden>
      <circle cx="6" cy="6" r="4.5" />
      {state === "degraded" && <path d="M6 1.5a4.5 4.5 0 0 1 0 9z" />}
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
  return (
    <li className="link-strip__item" data-state={link.state}>
      <LinkMark state={link.state} />
      <span className="link-strip__name">{t(short ? `link.short.${name}` : `link.${name}`)}</span>
      {link.state !== "up" && <span className="link-strip__state">{t(`link.${link.state}`)}</span>}
      {link.ageMs !== null && <span className="link-strip__age">{shortAge(link.ageMs)}</span>}
    </li>
  );
}

export interface LinkStripProps {
  links: Links;
  /** One word a link, for a phone's header. */
  short?: boolean;
}

/** "Are you seeing the truth?": the three links with their three ages, always visible. */
export function LinkStrip({ links, short = false }: LinkStripProps) {
  return (
    <ul className="link-strip" data-short={short || undefined}>
      <LinkItem name="relay" link={links.relay} short={short} />
      <LinkItem name="upstream" link={links.upstream} short={short} />
      <LinkItem name="device" link={links.device} short={short} />
    </ul>
  );
}
