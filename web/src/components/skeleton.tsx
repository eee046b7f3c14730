import { Skeleton as ChakraSkeleton } from "@chakra-ui/react";

/** Reserve the space of loading content. Sizes are any CSS length. */
export function Skeleton({ width = "100%", height = "1em" }: { width?: string; height?: string }) {
  return <ChakraSkeleton as="span" display="block" flexShrink="1" w={width} h={height} aria-hidden />;
}
