import { Menu, Portal } from "@chakra-ui/react";
import { menuSlotRecipe } from "@chakra-ui/react/theme";
import { EllipsisIcon, TrashIcon } from "lucide-react";
import type { ReactNode } from "react";
import { changedRecipe, PANEL } from "../theme/recipe.ts";
import { IconButton } from "./icon-button.tsx";

const MENU = changedRecipe(menuSlotRecipe, {
  base: {
    content: { ...PANEL, borderColor: "border", boxShadow: "md", maxW: "calc(100vw - 2rem)" },
    item: { fontWeight: "medium" },
  },
  variants: {
    variant: { subtle: { item: { _highlighted: { bg: "bg.sunk" } } } },
    size: {
      md: {
        content: { minW: "11rem", padding: "1" },
        item: { gap: "2.5", textStyle: "none", minH: "12", px: "3.5" },
      },
    },
  },
});

export interface MenuAction {
  readonly key: string;
  readonly label: string;
  readonly icon?: ReactNode;
  /** True for an irreversible action: red. */
  readonly danger?: boolean;
  readonly onChoose: () => void;
}

/** Return the action that deletes the page's object; `onChoose` asks before. */
export const deleteAction = (label: string, onChoose: () => void): MenuAction => ({
  key: "delete",
  label,
  icon: <TrashIcon />,
  danger: true,
  onChoose,
});

interface OverflowMenuProps {
  /** Accessible name: the object of the actions. */
  label: string;
  actions: readonly MenuAction[];
}

/** Three-dot menu of rarely used actions. */
export function OverflowMenu({ label, actions }: OverflowMenuProps) {
  return (
    <Menu.Root recipe={MENU} positioning={{ placement: "bottom-end" }}>
      <Menu.Trigger asChild>
        <IconButton label={label}>
          <EllipsisIcon />
        </IconButton>
      </Menu.Trigger>
      <Portal>
        <Menu.Positioner>
          <Menu.Content>
            {actions.map(({ key, label: name, icon, danger, onChoose }) => (
              <Menu.Item
                key={key}
                value={key}
                onClick={onChoose}
                {...(danger && { color: "fg.error", "data-danger": "" })}
              >
                {icon}
                {name}
              </Menu.Item>
            ))}
          </Menu.Content>
        </Menu.Positioner>
      </Portal>
    </Menu.Root>
  );
}
