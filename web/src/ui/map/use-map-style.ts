import type { StyleSpecification } from "maplibre-gl";
import { useEffect, useState } from "react";
import { useEmbeddedStyle } from "./use-embedded-style.ts";

/** How long the installation's own style may take to come, ms. */
const STYLE_WITHIN_MS = 8_000;

/** What a map is drawn with. */
interface ShownStyle {
  /** Null until there is one. */
  readonly style: StyleSpecification | string | null;
  /** The installation's own style did not come: the embedded map stands in its place. */
  readonly fellBack: boolean;
}

/** Whether the address of a style answers with one; tiles and letters behind it are the map's own affair. */
async function styleAnswers(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(url, { signal });
    if (!response.ok) return false;
    const body: unknown = await response.json();
    return typeof body === "object" && body !== null && "layers" in body && "version" in body;
  } catch {
    return false;
  }
}

/**
 * The style of the map: the installation's own where it answers, else the embedded one.
 *
 * @param scale how many times larger the embedded one is drawn
 */
export function useMapStyle(styleUrl: string | null, scale = 1): ShownStyle {
  const embedded = useEmbeddedStyle(scale);
  const [own, setOwn] = useState<"asking" | "there" | "failed">("asking");
  useEffect(() => {
    if (styleUrl === null) return;
    const asking = new AbortController();
    const timer = setTimeout(() => asking.abort(), STYLE_WITHIN_MS);
    let left = false;
    setOwn("asking");
    void styleAnswers(styleUrl, asking.signal).then((answers) => {
      if (!left) setOwn(answers ? "there" : "failed");
    });
    return () => {
      left = true;
      clearTimeout(timer);
      asking.abort();
    };
  }, [styleUrl]);
  if (styleUrl === null) return { style: embedded, fellBack: false };
  return {
    style: own === "there" ? styleUrl : own === "failed" ? embedded : null,
    fellBack: own === "failed",
  };
}
