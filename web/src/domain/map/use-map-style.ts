import type { StyleSpecification } from "maplibre-gl";
import { useEffect, useState } from "react";
import { useEmbeddedStyle } from "./use-embedded-style.ts";

/** Maximum time to load the installation's own style, ms. */
const STYLE_WITHIN_MS = 8_000;

/** Style that the map uses. */
interface ShownStyle {
  /** Null while it loads. */
  readonly style: StyleSpecification | string | null;
  /** True if the installation's style failed to load and the embedded map replaces it. */
  readonly fellBack: boolean;
}

/** Return true if the address answers with a style. The map itself loads its tiles and glyphs. */
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
 * Return the map's style: the installation's own if it answers, else the embedded one.
 *
 * @param scale scale factor of the embedded style
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
