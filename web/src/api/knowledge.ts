import { useTranslation } from "react-i18next";
import { useKnowledge } from "../live/hooks.ts";
import { KNOWN, type Knowledge, LOADING, STALE } from "../live/link.ts";

/** A REST query, as far as a claim depends on it. */
interface Asked {
  /** Null until the first answer. */
  readonly data: unknown;
  /** The failure of the newest call; null without one. */
  readonly error: unknown;
}

/**
 * Return if a claim about an answer can be made: it was loaded, its newest call worked, and no link has failed
 * since. It needs no live stream: the answer itself is the proof.
 */
export function answerKnowledge({ data, error }: Asked, links: Knowledge): Knowledge {
  if (error !== null) return STALE;
  if (data === null) return LOADING;
  return !links.known && links.why === "stale" ? STALE : KNOWN;
}

/**
 * Return a function for every text that says that something is not there, or that all is well (KNOW-1): it
 * returns the text only where that is known.
 *
 * @param asked the query with the answer that the text is about; by default it is about the live farm
 */
export function useClaim(asked?: Asked): (claim: string) => string {
  const { t } = useTranslation("common");
  const links = useKnowledge();
  const knowledge = asked === undefined ? links : answerKnowledge(asked, links);
  return (claim) =>
    knowledge.known ? claim : t(knowledge.why === "loading" ? "link.connecting" : "unknownNow");
}
