import { type ComponentType, createElement } from "react";
import { useTranslation } from "../../i18n/use-translation.ts";
import { ErrorNote } from "../feedback/error-note.tsx";
import { Skeleton } from "../feedback/skeleton.tsx";
import { useLoaded } from "../overlay/use-loaded.ts";
import { Sheet, type SheetProps } from "./sheet.tsx";
import "./lazy-sheet.css";

/** What stands in the sheet. `onClose` closes it. */
export type SheetBody = ComponentType<{ onClose: () => void }>;

export interface LazySheetProps extends Omit<SheetProps, "children"> {
  /** Fetches what stands in it, with its words. Stays the same function. */
  load: () => Promise<SheetBody>;
}

/** A sheet that opens at once; what stands in it is fetched when it is wanted first. */
export function LazySheet({ load, ...sheet }: LazySheetProps) {
  const { t } = useTranslation("common");
  const body = useLoaded(load);
  return (
    <Sheet {...sheet}>
      {body.state === "there" && createElement(body.value, { onClose: sheet.onClose })}
      {body.state === "failed" && <ErrorNote>{t("error.network")}</ErrorNote>}
      {body.state === "loading" && (
        <div className="lazy-sheet__loading">
          <Skeleton height="3rem" />
          <Skeleton height="3rem" />
        </div>
      )}
    </Sheet>
  );
}
