import { useEffect, useState } from "react";
import { Logo } from "../layout/logo.tsx";
import "./preloader.css";

/** Maximum time that the preloader covers the page, ms. */
export const PRELOADER_AT_MOST_MS = 2_500;

/** Cover the page until it is ready, for at most 2.5 s. */
export function Preloader({ ready, label }: { ready: boolean; label: string }) {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), PRELOADER_AT_MOST_MS);
    return () => clearTimeout(timer);
  }, []);
  if (ready || over) return null;
  return (
    <div className="preloader" role="status" aria-label={label}>
      <Logo size={56} flowing />
    </div>
  );
}
