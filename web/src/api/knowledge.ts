import { useTranslation } from "react-i18next";
import { type Asked, answerKnowledge, useKnowledge } from "../live/hooks.ts";

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
