import { type ComponentType, createElement } from "react";
import { ErrorNote } from "../../components/alerts.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { useTranslation } from "../../i18n/use-translation.ts";
import { useLoaded } from "../overlay/use-loaded.ts";
import { Sheet, type SheetProps } from "./sheet.tsx";
import "./lazy-sheet.css";

/** Content of the sheet. `onClose` closes it. */
export type SheetBody = ComponentType<{ onClose: () => void }>;

export interface LazySheetProps extends Omit<SheetProps, "children"> {
  /** Load the content with its translations. Must be a stable function. */
  load: () => Promise<SheetBody>;
}

/** Open a sheet at once and load its content on first use. */
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
