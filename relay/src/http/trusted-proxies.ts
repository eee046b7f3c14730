import { BlockList, isIPv6 } from "node:net";

/** Returns true for the address of a proxy whose `X-Forwarded-For` is trusted. */
export type Trust = (address: string) => boolean;

const family = (address: string): "ipv4" | "ipv6" => (isIPv6(address) ? "ipv6" : "ipv4");

/**
 * Create the test for trusted proxies.
 * @param proxies addresses and networks (`10.0.0.0/8`) in front of the relay; none by default
 */
export function createTrust(proxies: readonly string[]): Trust {
  const trusted = new BlockList();
  for (const proxy of proxies) {
    const [address = "", bits] = proxy.split("/");
    if (bits === undefined) trusted.addAddress(address, family(address));
    else trusted.addSubnet(address, Number(bits), family(address));
  }
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
    return trusted.check(plain, family(plain));
  };
}

/**
 * Return the client address of a request: the nearest one that is no trusted proxy.
 * @param forwarded the `X-Forwarded-For` header
 */
export function clientAddress(
  remote: string | undefined,
  forwarded: string | string[] | undefined,
  trust: Trust,
): string {
  const named = (Array.isArray(forwarded) ? forwarded.join(",") : (forwarded ?? ""))
    .split(",")
    .map((address) => address.trim())
    .filter((address) => address !== "");
  const way = [remote ?? "", ...named.reverse()];
  return way.find((address) => !trust(address)) ?? way.at(-1) ?? "";
}
