import { useLinks } from "../../farm/use-links.ts";
import { LinkStrip } from "../../ui/feedback/link-strip.tsx";

/** The three links with their three ages (ONL-4): screen to relay, relay to farm API, the devices' worst. */
export function LiveLinkStrip() {
  return <LinkStrip links={useLinks()} />;
}
