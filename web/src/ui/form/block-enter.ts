import type { KeyboardEvent } from "react";

/** For a form's `onKeyDown`: Enter in a line of text does not save; buttons and larger texts keep it. */
export function blockEnter(event: KeyboardEvent): void {
  if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
  // Whoever puts letters together ends them by Enter as well: that is the keyboard's own.
  if (!event.nativeEvent.isComposing) event.preventDefault();
}
