import type { DeviceBroker } from "@mulkko/shared/rest/sensor";

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/i;
const TLS = new Set(["mqtts:", "ssl:"]);
/** The ports that the two protocols have where an address names none. */
const PORTS = { plain: 1883, tls: 8883 } as const;

const hostOf = ({ hostname }: URL): string | null =>
  LOOPBACK.test(hostname) ? null : hostname.replace(/^\[|\]$/g, "");

/** Return where devices reach the broker: its own address, or that of the web client with the embedded port. */
export function deviceBrokerOf(
  broker: { readonly url: string } | { readonly port: number },
  publicUrl: string,
): DeviceBroker {
  if ("port" in broker) return { host: hostOf(new URL(publicUrl)), port: broker.port, tls: false };
  const url = new URL(broker.url);
  const tls = TLS.has(url.protocol);
  return { host: hostOf(url), port: Number(url.port) || (tls ? PORTS.tls : PORTS.plain), tls };
}
