/**
 * Puts text on the clipboard. A page that came over plain HTTP, as in a farm's own network, has no clipboard of its
 * own: there the older way through a selection is taken.
 *
 * @returns false where the browser allows neither
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.setAttribute("readonly", "");
  area.className = "visually-hidden";
  // Within the dialog that is open: what stands outside of it takes no focus.
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}
