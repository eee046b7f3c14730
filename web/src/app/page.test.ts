// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import { page, titleOf } from "./page.ts";

const Empty = () => null;

describe("[page]", () => {
  it("[page] is requested again by the next visit after a failed load, and then not again", async () => {
    let visits = 0;
    const route = page(
      "/login",
      async () => {
        visits += 1;
        if (visits === 1) throw new TypeError("Failed to fetch dynamically imported module");
        return Empty;
      },
      "login:title",
    );
    await expect(route.loader()).rejects.toMatchObject({ name: "PageMissing", failures: 1 });
    await expect(route.loader()).resolves.toBeNull();
    await route.loader();
    expect(visits).toBe(2);
  });

  it("[page] for administrators is titled by the message that other users see", () => {
    const { handle } = page("/adminpage/users", () => Promise.resolve(Empty), "account:title");
    const handles = [{ title: "shell:forbidden.title", forAdmins: true }, handle];
    expect(titleOf(handles, false)).toBe("shell:forbidden.title");
    expect(titleOf(handles, true)).toBe("account:title");
  });

  it("[page] gives its title to the document", () => {
    const { handle } = page("/sensors/type", () => Promise.resolve(Empty), "log:title");
    expect(titleOf([{ title: "shell:nav.home" }, undefined, handle], false)).toBe("log:title");
    for (const none of [undefined, null, "x", {}, { title: 3 }]) expect(titleOf([none], false)).toBeNull();
  });
});
