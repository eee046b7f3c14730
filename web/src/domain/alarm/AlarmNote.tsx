import { Text } from "@chakra-ui/react";
import type { ReactNode } from "react";

/** A muted line about an alarm. */
export function AlarmNote({ children }: { children: ReactNode }) {
  return (
    <Text color="fg.muted" fontSize="label">
      {children}
    </Text>
  );
}
