import { deviceTypeOf } from "@mulkko/shared/catalogue/registry";
import { useLive, useShownQuality } from "../../live/hooks.ts";
import { Badges } from "./Badges.tsx";

/** Live latest values of one sensor; nothing for a deleted one. */
export function LatestBadges({ id }: { id: string }) {
  const value = useLive("sensor", id);
  const quality = useShownQuality(value?.quality ?? null);
  if (!value) return null;
  const type = deviceTypeOf(value.info.deviceType, value.reading ?? {});
  return <Badges value={value} type={type} quality={quality} />;
}
