import { useCallback, useEffect, useState } from "react";

/** Report under a form's name if it has unsaved values. */
export type OnUnsaved = (form: string, isUnsaved: boolean) => void;

/** Collect the names of a page's forms with unsaved values. */
export function useUnsavedForms(): { unsaved: ReadonlySet<string>; onUnsaved: OnUnsaved } {
  const [unsaved, setUnsaved] = useState<ReadonlySet<string>>(new Set());
  const onUnsaved = useCallback<OnUnsaved>((form, isUnsaved) => {
    setUnsaved((now) => {
      if (now.has(form) === isUnsaved) return now;
      return new Set(isUnsaved ? [...now, form] : [...now].filter((each) => each !== form));
    });
  }, []);
  return { unsaved, onUnsaved };
}

/** Report a form's unsaved values as long as it is on the page. */
export function useReportUnsaved(onUnsaved: OnUnsaved, form: string, isUnsaved: boolean): void {
  useEffect(() => {
    onUnsaved(form, isUnsaved);
    return () => onUnsaved(form, false);
  }, [onUnsaved, form, isUnsaved]);
}
