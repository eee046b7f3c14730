import { Box, chakra, Flex } from "@chakra-ui/react";
import { type PointerEvent, type ReactNode, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { PEEK_PX, pressed, type SheetHeight, settled, sheetPx } from "./sheet-height.ts";

export interface MapSheetProps {
  readonly height: SheetHeight;
  readonly onHeight: (height: SheetHeight) => void;
  /** Height of what it stands in, CSS px. */
  readonly room: number;
  readonly heading: ReactNode;
  readonly children: ReactNode;
}

/** Less than this is a press, not a drag, CSS px. */
const DRAG_PX = 6;

/** The list over the map of a phone: dragged by its handle, or stepped through its heights by a press. */
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
    // The click that ends a drag is none.
    setTimeout(() => setDragged(null));
  };
  return (
    <section
      className="map-sheet"
      aria-label={t("list")}
      data-dragged={dragged === null ? undefined : ""}
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
          if (dragged === null) onHeight(pressed(height));
        }}
      >
        <span />
      </chakra.button>
      <Flex
        flex="none"
        align="baseline"
        gap="3"
        pt="0"
        px="page"
        pb="3"
        pointerEvents="none"
        css={{ "& p": { color: "fg.muted" } }}
      >
        {heading}
      </Flex>
      <Box
        flex="1"
        minH="0"
        overflowY="auto"
        overscrollBehavior="contain"
        inert={height === "peek" && dragged === null}
      >
        {children}
      </Box>
    </section>
  );
}
