import { Box, Center } from "@chakra-ui/react";
import { useEffect, useState } from "react";
import { Logo } from "./logo.tsx";

/**
 * Show a line along the top while a page loads. A page that loads at once shows none.
 *
 * It is drawn without Chakra's Progress, whose state machine would be a part of the first load.
 */
export function PendingBar({ pending }: { pending: boolean }) {
  if (!pending) return null;
  return (
    <Box
      position="fixed"
      inset="0 0 auto"
      zIndex="banner"
      h="2px"
      overflow="hidden"
      aria-hidden
      animation="fade-in 0s 150ms backwards"
    >
      <Box
        position="absolute"
        w={{ base: "40%", _motionReduce: "full" }}
        h="full"
        bg="fg"
        animation="position 1s ease infinite alternate"
        css={{ "--animate-from-x": "-40%", "--animate-to-x": "100%" }}
      />
    </Box>
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
