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

/** Select it as a page's text, not in a field: an open dialog does not give up the focus. */
function copyBySelection(text: string): boolean {
  const shown = document.createElement("pre");
  shown.className = "visually-hidden";
  shown.style.whiteSpace = "pre";
  shown.textContent = text;
  document.body.append(shown);
  const selection = window.getSelection();
  selection?.selectAllChildren(shown);
  const done = document.execCommand("copy");
  selection?.removeAllRanges();
  shown.remove();
  return done;
}
