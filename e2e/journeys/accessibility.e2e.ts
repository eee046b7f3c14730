import { describe } from "vitest";
import { FARMER_GROUPS } from "../pages/screens.ts";
import { screensForEveryEye } from "../src/stack/screens-for-every-eye.ts";

describe("every farmer's screen for every eye", () =>
  screensForEveryEye(FARMER_GROUPS, { viewport: "phone", locale: "ko-KR", colorScheme: "dark" }, true));
