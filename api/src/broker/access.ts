import { parseDeviceTopic, topic } from "@mulkko/shared/mqtt/topics";

/** Who is connected to the embedded broker. */
export type Identity =
  | { readonly kind: "device"; readonly serial: number }
  /** Reads what the API says, and nothing else. */
  | { readonly kind: "relay" };

export const RELAY_USER = "relay";

/** A device says `up`, `status` and its channels' `state`, under its own serial. */
export function mayPublish(identity: Identity, name: string): boolean {
  if (identity.kind === "relay") return false;
  const parsed = parseDeviceTopic(name);
  return parsed !== null && parsed.serial === String(identity.serial);
}

/** A device hears what is under its own serial; the relay hears `mulkko/out`. */
export function maySubscribe(identity: Identity, filter: string): boolean {
  switch (identity.kind) {
    case "relay":
      return filter === topic.outAll || /^mulkko\/out(\/[^#]+)?(\/#)?$/.test(filter);
    case "device":
      return filter.startsWith(`mulkko/${identity.serial}/`);
  }
}
