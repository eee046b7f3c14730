import { useTranslation } from "react-i18next";
import { useKnowledge } from "../live/hooks.ts";

/**
 * Return a function for every text that says that something is not there, or that all is well (KNOW-1): it
 * returns the text only where that is known.
 *
 * @param asked the query with the answer that the text is about; by default it is about the live farm
 */
export function useClaim(asked?: Parameters<typeof useKnowledge>[0]): (claim: string) => string {
  const { t } = useTranslation("common");
  const knowledge = useKnowledge(asked);
  return (claim) =>
    knowledge.known ? claim : t(knowledge.why === "loading" ? "link.connecting" : "unknownNow");
}
