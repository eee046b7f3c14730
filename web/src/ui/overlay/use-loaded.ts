import { useEffect, useState } from "react";

/** Something that is fetched when it is needed. */
export type Loaded<T> = { state: "loading" } | { state: "there"; value: T } | { state: "failed" };

/**
 * Fetches code when the component that wants it is drawn. What failed is asked for again by the next one.
 *
 * @param load stays the same function
 */
export function useLoaded<T>(load: () => Promise<T>): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: "loading" });
  useEffect(() => {
    let wanted = true;
    load().then(
      (value) => wanted && setLoaded({ state: "there", value }),
      () => wanted && setLoaded({ state: "failed" }),
    );
    return () => {
      wanted = false;
    };
  }, [load]);
  return loaded;
}
