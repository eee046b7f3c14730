import { Center, Progress } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import { Logo } from "./logo.tsx";

/** Show a line along the top while a page loads. A page that loads at once shows none. */
export function PendingBar({ pending }: { pending: boolean }) {
  if (!pending) return null;
  return (
    <Progress.Root
      value={null}
      size="xs"
      position="fixed"
      inset="0 0 auto"
      zIndex="banner"
      aria-hidden
      animation="fade-in 0s 150ms backwards"
    >
      <Progress.Track h="2px" bg="transparent" shadow="none">
        <Progress.Range />
      </Progress.Track>
    </Progress.Root>
  );
}

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
    <Center position="fixed" inset="0" zIndex="overlay" bg="bg.canvas" role="status" aria-label={label}>
      <Logo size={56} flowing />
    </Center>
  );
}
