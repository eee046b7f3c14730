import { relayPath } from "@mulkko/shared/rest/routes";
import { type ReactNode, useState } from "react";

const ADDRESS = /^([a-z][a-z\d+.-]*:|\/\/)/i;
/** Paths forwarded to the farm API unchanged. */
const PASSED = /^\/(images|api)\//;

/**
 * Return the address of a farm API's image. A path without leading slash is relative to the root, not to the
 * page. The relay fetches images outside the bundled API's paths.
 */
export function photoAddress(path: string): string {
  if (ADDRESS.test(path)) return path;
  const whole = `/${path.replace(/^(\.?\/)+/, "")}`;
  return PASSED.test(whole) ? whole : `${relayPath.photo}${whole}`;
}

interface PhotoProps {
  readonly path: string | null | undefined;
  /** Shown without an image or after a failed load. */
  readonly icon: ReactNode;
  readonly lazy?: boolean;
}

/** Decorative image: all its information is also in the text beside it. */
export function Photo({ path, icon, lazy = false }: PhotoProps) {
  const [broken, setBroken] = useState<string | null>(null);
  if (!path || path === broken) return icon;
  return (
    <img
      src={photoAddress(path)}
      alt=""
      {...(lazy ? { loading: "lazy" as const } : {})}
      onError={() => setBroken(path)}
    />
  );
}
