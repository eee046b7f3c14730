import { Box, chakra, Flex } from "@chakra-ui/react";
import { type PointerEvent, type ReactNode, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

/** Heights of the list over the map on a phone: only the heading, half of the screen, nearly all of it. */
const SHEET_HEIGHTS = ["peek", "half", "full"] as const;
export type SheetHeight = (typeof SHEET_HEIGHTS)[number];

/** Height of the heading, CSS px. */
export const PEEK_PX = 76;
const HALF_SHARE = 0.48;
const FULL_SHARE = 0.94;

/** Return a height in CSS px for a container of `room` CSS px. */
export function sheetPx(height: SheetHeight, room: number): number {
  if (height === "peek") return Math.min(PEEK_PX, room);
  return Math.round(room * (height === "half" ? HALF_SHARE : FULL_SHARE));
}

/** Return the height nearest to the px that the list was dragged to. */
export function settled(px: number, room: number): SheetHeight {
  return SHEET_HEIGHTS.reduce((nearest, height) =>
    Math.abs(sheetPx(height, room) - px) < Math.abs(sheetPx(nearest, room) - px) ? height : nearest,
  );
}

/** Height after a press on the handle: one step up, and from the top back to the heading. */
export const AFTER_PRESS = { peek: "half", half: "full", full: "peek" } as const;

export interface MapSheetProps {
  readonly height: SheetHeight;
  readonly onHeight: (height: SheetHeight) => void;
  /** Height of its container, CSS px. */
  readonly room: number;
  readonly heading: ReactNode;
  readonly children: ReactNode;
}

/** A shorter movement is a press, not a drag, CSS px. */
const DRAG_PX = 6;

/** Show the list over the map on a phone. Drag its handle, or press it to step through the heights. */
export function MapSheet({ height, onHeight, room, heading, children }: MapSheetProps) {
  const { t } = useTranslation("maps");
  const [dragged, setDragged] = useState<number | null>(null);
  const from = useRef<{ y: number; px: number } | null>(null);
  const px = dragged ?? sheetPx(height, room);
  const down = (event: PointerEvent<HTMLButtonElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = { y: event.clientY, px };
  };
  const move = (event: PointerEvent) => {
    const start = from.current;
    if (!start || (dragged === null && Math.abs(event.clientY - start.y) < DRAG_PX)) return;
    setDragged(Math.min(room, Math.max(PEEK_PX, start.px + start.y - event.clientY)));
  };
  const up = () => {
    from.current = null;
    if (dragged === null) return;
    onHeight(settled(dragged, room));
    // Ignore the click that ends a drag.
    setTimeout(() => setDragged(null));
  };
  return (
    <chakra.section
      display="flex"
      position="absolute"
      inset="auto 0 0"
      zIndex="3"
      flexDirection="column"
      borderTopWidth="1px"
      borderColor="border.strong"
      roundedTop="1rem"
      bg="bg.panel"
      transition={dragged === null ? "height 0.2s ease-out" : "none"}
      aria-label={t("list")}
      style={{ height: px }}
    >
      <chakra.button
        type="button"
        display="grid"
        flex="none"
        placeItems="start center"
        w="full"
        h="12"
        pt="2.5"
        mb="-6"
        cursor="grab"
        touchAction="none"
        css={{ "& span": { w: "11", h: "0.3125rem", rounded: "0.25rem", bg: "border.strong" } }}
        aria-expanded={height !== "peek"}
        aria-label={height === "full" ? t("sheet.smaller") : t("sheet.taller")}
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={up}
        onPointerCancel={up}
        onClick={() => {
          if (dragged === null) onHeight(AFTER_PRESS[height]);
        }}
      >
        <span />
      </chakra.button>
      <Flex flex="none" align="baseline" gap="3" px="page" pb="3" pointerEvents="none">
        {heading}
      </Flex>
      <Box
        flex="1"
        minH="0"
        position="relative"
        overflowY="auto"
        overscrollBehavior="contain"
        inert={height === "peek" && dragged === null}
      >
        {children}
      </Box>
    </chakra.section>
  );
}
