import { ChevronFirstIcon, ChevronLastIcon, ChevronLeftIcon, ChevronRightIcon } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "../../i18n/use-translation.ts";
import { numbersAround } from "./table-model.ts";
import "./pager.css";

export interface PagerProps {
  /** Counted from 1. */
  page: number;
  pages: number;
  onPage: (page: number) => void;
}

/** First, previous, five numbers, next, last. */
export function Pager({ page, pages, onPage }: PagerProps) {
  const { t } = useTranslation("common");
  const step = (label: string, to: number, icon: ReactNode) => (
    <button
      type="button"
      className="pager__button"
      aria-label={label}
      title={label}
      // Not `disabled`: reaching the end with "next" would lose the keyboard focus.
      aria-disabled={to === page}
      onClick={() => to !== page && onPage(to)}
    >
      {icon}
    </button>
  );
  return (
    <nav className="pager" aria-label={t("table.pages")}>
      {step(t("table.first"), 1, <ChevronFirstIcon />)}
      {step(t("table.previous"), Math.max(1, page - 1), <ChevronLeftIcon />)}
      {numbersAround(page, pages).map((number) => (
        <button
          key={number}
          type="button"
          className="pager__button"
          aria-label={t("table.page", { page: number })}
          aria-current={number === page ? "page" : undefined}
          onClick={() => onPage(number)}
        >
          {number}
        </button>
      ))}
      {step(t("table.next"), Math.min(pages, page + 1), <ChevronRightIcon />)}
      {step(t("table.last"), pages, <ChevronLastIcon />)}
    </nav>
  );
}
