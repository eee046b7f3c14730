import { describe } from "vitest";
import { DESK_GROUPS } from "../pages/screens.ts";
import { screensForEveryEye } from "../src/stack/screens-for-every-eye.ts";

describe("every screen of the desk and the wall for every eye", () => screensForEveryEye(DESK_GROUPS));
