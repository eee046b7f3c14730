let holders = 0;

/** Keeps the page from being reloaded by itself while something on it is nowhere else. @returns the end of that */
export function holdPage(): () => void {
  let holds = true;
  holders += 1;
  return () => {
    if (holds) holders -= 1;
    holds = false;
  };
}

/** True while some form would be lost by a reload. */
export function isPageHeld(): boolean {
  return holders > 0;
}
