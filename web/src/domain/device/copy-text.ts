/**
 * Copy text to the clipboard. A page served over plain HTTP, as in a farm's own network, has no Clipboard
 * API. There the text is copied through a selection.
 *
 * @returns false if the browser allows neither
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
  // Append within the open dialog: elements outside of it cannot take focus.
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}
