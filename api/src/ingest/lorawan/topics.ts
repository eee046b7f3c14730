/** Supported network servers. */
export type NetworkServer = "chirpstack" | "tts";

/** Source of uplinks: ChirpStack v4, The Things Stack v3, or both. */
export type UplinkSource = NetworkServer | "both";

/** A network server's message about a device. */
export interface UplinkTopic {
  readonly server: NetworkServer;
  /** `up` has a measurement; all others are about the radio. */
  readonly event: string;
}

/** Longest parsed topic, characters. */
const MAX_TOPIC = 256;
const CHIRPSTACK = /^application\/[^/+#]+\/device\/[^/+#]+\/event\/([a-z]+)$/;
const THINGS_STACK = /^v3\/[^/+#]+\/devices\/[^/+#]+\/([a-z]+(?:\/[a-z]+)?)$/;

/** Parse a topic of a network server; null for any other. */
export function parseUplinkTopic(name: string): UplinkTopic | null {
  if (name.length > MAX_TOPIC) return null;
  const chirpstack = CHIRPSTACK.exec(name)?.[1];
  if (chirpstack) return { server: "chirpstack", event: chirpstack };
  const thingsStack = THINGS_STACK.exec(name)?.[1];
  return thingsStack ? { server: "tts", event: thingsStack } : null;
}

const UP_FILTERS: Readonly<Record<NetworkServer, string>> = {
  chirpstack: "application/+/device/+/event/up",
  tts: "v3/+/devices/+/up",
};

/** Return the subscriptions for a source's measurements, without other events. */
export function uplinkFilters(source: UplinkSource | "off"): string[] {
  switch (source) {
    case "off":
      return [];
    case "both":
      return [UP_FILTERS.chirpstack, UP_FILTERS.tts];
    case "chirpstack":
    case "tts":
      return [UP_FILTERS[source]];
  }
}
