import { Box } from "@chakra-ui/react";
import type { ReactNode } from "react";

/** Frame in place of an empty list. */
export function NoAlarms({ children }: { children: ReactNode }) {
  return (
    <Box
      w="full"
      py="10"
      px="4"
      borderWidth="1px"
      borderStyle="dashed"
      borderColor="border.strong"
      rounded="card"
      color="fg.muted"
      textAlign="center"
      data-testid="no-alarms"
    >
      {children}
    </Box>
  );
}
