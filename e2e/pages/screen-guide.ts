import { signInOnPage } from "./login.ts";
import type { Scene, Screen } from "./screens/screen.ts";

/** Brings screens before the camera: signs in as the farmer before the first one that needs it. */
export function createGuide(scene: Scene): (screen: Screen) => Promise<void> {
  let signedIn = false;
  return async (screen) => {
    const { page, stack } = scene;
    if (!screen.signedOut && !signedIn) {
      await signInOnPage(page, stack.url, "farmer");
      signedIn = true;
    }
    await screen.go(scene);
  };
}
