let holders = 0;

/** Block automatic reloads while the page has unsaved values. @returns a function that ends the block */
export function holdPage(): () => void {
  let holds = true;
  holders += 1;
  return () => {
    if (holds) holders -= 1;
    holds = false;
  };
}

/** Return true while a reload would lose a form's content. */
export function isPageHeld(): boolean {
  return holders > 0;
}
