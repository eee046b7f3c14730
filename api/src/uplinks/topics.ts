/** Network servers whose uplinks are understood. */
export type NetworkServer = "chirpstack" | "tts";

/** Where the uplinks come from: ChirpStack v4, The Things Stack v3, or both. */
export type UplinkSource = NetworkServer | "both";

/** What a network server says about a device. */
export interface UplinkTopic {
  readonly server: NetworkServer;
  /** `up` carries a measurement; everything else is the radio's own business. */
  readonly event: string;
}

/** Longest topic that is looked at, characters. */
const MAX_TOPIC = 256;
const CHIRPSTACK = /^application\/[^/+#]+\/device\/[^/+#]+\/event\/([a-z]+)$/;
const THINGS_STACK = /^v3\/[^/+#]+\/devices\/[^/+#]+\/([a-z]+(?:\/[a-z]+)?)$/;

/** Reads a topic of a network server; null for any other. */
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

/** The subscriptions that bring in a source's measurements, and no other events. */
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
