/** Result of scrolling: ms between frames, and the number of rendered elements. */
export interface Scrolled {
  readonly frames: readonly number[];
  readonly rows: number;
  readonly height: number;
}

/** Pixels per frame: a firm swipe. */
const STEP_PX = 90;

/** Return the time of the next frame, ms. */
export const animationFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));

/** Scroll the page down and up for a number of frames. @returns ms between them */
export async function scroll(pictures: number): Promise<number[]> {
  const frames: number[] = [];
  let before = await animationFrame();
  let step = STEP_PX;
  for (let index = 0; index < pictures; index += 1) {
    const end = document.documentElement.scrollHeight - window.innerHeight;
    if (window.scrollY >= end - 1) step = -STEP_PX;
    else if (window.scrollY <= 0) step = STEP_PX;
    window.scrollBy(0, step);
    const now = await animationFrame();
    frames.push(now - before);
    before = now;
  }
  window.scrollTo(0, 0);
  await animationFrame();
  return frames;
}

/** Do the same with an empty page of equal height. */
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
