import { Flex, Grid } from "@chakra-ui/react";
import type { ReactNode } from "react";

/** Lay out the details and actions below an alarm's line. */
export function AlarmDesk({ children }: { children: ReactNode }) {
  return (
    <Grid
      gridColumn="2 / -1"
      gap="1.5"
      minW="0"
      css={{ '[data-surface="phone"] .alarm-line--whole > &': { gridColumn: "1 / -1", mt: "1" } }}
      data-testid="alarm-actions"
    >
      {children}
    </Grid>
  );
}

/** A row of buttons; nothing without any. */
export function ActionRow({ children }: { children: ReactNode }) {
  return (
    <Flex wrap="wrap" gap="2" mt="1" _empty={{ display: "none" }}>
      {children}
    </Flex>
  );
}
