import type { DeviceBroker } from "@mulkko/shared/rest/sensor";

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/i;
const TLS = new Set(["mqtts:", "ssl:"]);
/** Default ports of the two protocols. */
const PORTS = { plain: 1883, tls: 8883 } as const;

const hostOf = ({ hostname }: URL): string | null =>
  LOOPBACK.test(hostname) ? null : hostname.replace(/^\[|\]$/g, "");

/** Return the broker's URL for devices: its own address, or the web client's host with the embedded port. */
export function deviceBrokerOf(
  broker: { readonly url: string } | { readonly port: number },
  publicUrl: string,
): DeviceBroker {
  if ("port" in broker) return { host: hostOf(new URL(publicUrl)), port: broker.port, tls: false };
  const url = new URL(broker.url);
  const tls = TLS.has(url.protocol);
  return { host: hostOf(url), port: Number(url.port) || (tls ? PORTS.tls : PORTS.plain), tls };
}
