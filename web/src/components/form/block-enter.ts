import type { KeyboardEvent } from "react";

/**
 * Handle a form's `onKeyDown`: Enter in a single-line input does not save. Buttons and text areas keep it.
 */
export function blockEnter(event: KeyboardEvent): void {
  if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
  // An input method editor uses Enter to end a composition: keep that.
  if (!event.nativeEvent.isComposing) event.preventDefault();
}
