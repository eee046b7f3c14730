import { useCallback, useState } from "react";

/** The settings of a farm's valves, which a press opens and closes; what was typed there is not closed unasked. */
export interface SettingsCard {
  readonly open: boolean;
  /** Something stands in one of its forms that is nowhere else. */
  readonly unsaved: boolean;
  /** True while the page asks whether unsaved changes may be dropped. */
  readonly asking: boolean;
  show(): void;
  toggle(): void;
  /** Closes, whatever stands there. */
  drop(): void;
  stay(): void;
  /** A form tells whether something unsaved stands in it. */
  readonly onChanged: (form: string, changed: boolean) => void;
}

export function useSettingsCard(): SettingsCard {
  const [open, setOpen] = useState(false);
  const [asking, setAsking] = useState(false);
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set());
  const onChanged = useCallback((form: string, isChanged: boolean) => {
    setChanged((now) => {
      if (now.has(form) === isChanged) return now;
      return new Set(isChanged ? [...now, form] : [...now].filter((each) => each !== form));
    });
  }, []);
  const unsaved = changed.size > 0;
  return {
    open,
    unsaved,
    asking,
    onChanged,
    show: () => setOpen(true),
    toggle() {
      if (open && unsaved) setAsking(true);
      else setOpen(!open);
    },
    drop() {
      setAsking(false);
      setOpen(false);
    },
    stay: () => setAsking(false),
  };
}
