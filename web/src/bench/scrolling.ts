/** What scrolling showed: ms between pictures, and what stood in the page. */
export interface Scrolled {
  readonly frames: readonly number[];
  readonly rows: number;
  readonly height: number;
}

/** Pixels of one picture: a firm swipe. */
const STEP_PX = 90;

/** The time of the next picture, ms. */
export const picture = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));

/** Scrolls the page down and up again for so many pictures. @returns ms between them */
export async function scroll(pictures: number): Promise<number[]> {
  const frames: number[] = [];
  let before = await picture();
  let step = STEP_PX;
  for (let index = 0; index < pictures; index += 1) {
    const end = document.documentElement.scrollHeight - window.innerHeight;
    if (window.scrollY >= end - 1) step = -STEP_PX;
    else if (window.scrollY <= 0) step = STEP_PX;
    window.scrollBy(0, step);
    const now = await picture();
    frames.push(now - before);
    before = now;
  }
  window.scrollTo(0, 0);
  await picture();
  return frames;
}

/** The same with a page of equal height that holds nothing but its background. */
export async function scrollBare(pictures: number): Promise<Scrolled> {
  const height = document.documentElement.scrollHeight;
  const root = document.getElementById("root");
  const bare = document.createElement("div");
  bare.style.height = `${height}px`;
  if (root) root.style.display = "none";
  document.body.append(bare);
  const frames = await scroll(pictures);
  bare.remove();
  if (root) root.style.display = "";
  return { frames, rows: 0, height };
}
