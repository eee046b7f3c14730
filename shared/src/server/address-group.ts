import { isIPv6 } from "node:net";

/**
 * Length of an IPv6 prefix, bits. A phone or a home network has a /64, and can use any address in it; a home's
 * whole connection has a /56.
 */
export type PrefixBits = 56 | 64;

/**
 * Return the group of an address that shares one limit: an IPv6 /64 (or /56), or a single IPv4 address.
 */
export function addressGroup(address: string, bits: PrefixBits = 64): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address;
  const [head = "", tail] = (address.split("%", 1)[0] ?? "").split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros =
    tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0");
  const groups = [...left, ...zeros, ...right].slice(0, 4).map((group) => Number.parseInt(group, 16));
  const kept = groups.map((group, index) => (index === 3 && bits === 56 ? group & 0xff00 : group));
  return `${kept.map((group) => group.toString(16)).join(":")}::/${bits}`;
}
