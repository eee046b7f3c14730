import { signInOnPage } from "./login.ts";
import type { Scene, Screen } from "./screens/screen.ts";

/** Open screens for screenshots: sign in as the farmer before the first one that needs it. */
export function createGuide(scene: Scene): (screen: Screen) => Promise<void> {
  let signedIn = false;
  let last: Screen | null = null;
  return async (screen) => {
    const { page, stack } = scene;
    if (!screen.signedOut && !signedIn) {
      await signInOnPage(page, stack.url, "farmer");
      signedIn = true;
    }
    await last?.leave?.(scene);
    last = screen;
    await screen.go(scene);
  };
}
