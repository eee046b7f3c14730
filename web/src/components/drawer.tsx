import { Drawer, Portal } from "@chakra-ui/react";
import { drawerSlotRecipe } from "@chakra-ui/react/theme";
import { XIcon } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router-dom";
import { changedRecipe } from "../theme/recipe.ts";
import { useSurface } from "../theme/use-surface.ts";
import { IconButton } from "./icon-button.tsx";

const DRAWER = changedRecipe(drawerSlotRecipe, {
  base: {
    backdrop: { _closed: { animation: "none" } },
    content: {
      textStyle: "none",
      _open: { animationDuration: "moderate" },
      _closed: { animation: "none" },
    },
    header: {
      gap: "3",
      justifyContent: "space-between",
      py: "2",
      ps: "4",
      pe: "2",
      borderBottomWidth: "1px",
      borderColor: "border",
    },
    title: { textStyle: "title" },
    body: { p: "0", overscrollBehavior: "contain" },
  },
});

export interface SheetProps {
  title: ReactNode;
  /**
   * `end`: full-height panel along the far edge. `top`: below the header. On a phone both come from below.
   */
  place: "end" | "top";
  onClose: () => void;
  children: ReactNode;
}

const BOTTOM = {
  maxHeight: "calc(100dvh - 2.5rem)",
  paddingBottom: "env(safe-area-inset-bottom)",
  borderTopWidth: "1px",
  borderTopRadius: "lg",
};
const LOOKS = {
  end: { maxWidth: "30rem", borderInlineStartWidth: "1px" },
  top: {
    alignSelf: "flex-start",
    maxWidth: "28rem",
    maxHeight: "calc(100dvh - 5.25rem)",
    marginTop: "4.25rem",
    marginInlineEnd: "4",
    borderWidth: "1px",
    borderRadius: "lg",
  },
};

/** Panel over the page while mounted. A press beside it, Escape or a link inside it closes it. */
export function Sheet({ title, place, onClose, children }: SheetProps) {
  const { t } = useTranslation("common");
  const phone = useSurface() === "phone";
  const { key } = useLocation();
  const cameFrom = useRef(key);
  useEffect(() => {
    if (cameFrom.current !== key) onClose();
  }, [key, onClose]);
  return (
    <Drawer.Root
      recipe={DRAWER}
      open
      placement={phone ? "bottom" : "end"}
      // As in the dialog: only a press beside it closes it.
      onFocusOutside={(event) => event.preventDefault()}
      onOpenChange={() => onClose()}
    >
      <Portal>
        <Drawer.Backdrop />
        <Drawer.Positioner>
          <Drawer.Content {...(phone ? BOTTOM : LOOKS[place])}>
            <Drawer.Header>
              <Drawer.Title>{title}</Drawer.Title>
              <IconButton label={t("action.close")} onClick={onClose}>
                <XIcon />
              </IconButton>
            </Drawer.Header>
            <Drawer.Body>{children}</Drawer.Body>
          </Drawer.Content>
        </Drawer.Positioner>
      </Portal>
    </Drawer.Root>
  );
}
