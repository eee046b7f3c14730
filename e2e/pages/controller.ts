import type { Locator, Page } from "playwright-core";
import type { Say } from "./words.ts";

export type ModeName = "automatic" | "reservation" | "period";
export type ModeFieldName = "low" | "high" | "minutes" | "time" | "interval";

/** The three modes of a channel's panel, in a visitor's language. */
export interface ModesOnPage {
  /** Open a mode's section; keep it open if it is. */
  open(mode: ModeName): Promise<void>;
  /** A mode's line: its name, its state, and its setting. */
  line(mode: ModeName): Locator;
  fill(field: ModeFieldName, text: string): Promise<void>;
  field(field: ModeFieldName): Locator;
  /** The save button; on an API or device without separate saving, it saves and switches on. */
  save(): Promise<void>;
  /** Put the open mode in charge, or take it out. */
  toggle(): Promise<void>;
  reset(): Promise<void>;
  /** The open section, with its texts. */
  readonly body: Locator;
  /** The question over the page. */
  readonly question: Locator;
  /** Confirm it by its own button. */
  confirm(kind: "on" | "off" | "reset"): Promise<void>;
}

/** Go to a channel's panel. @param boxId of a controller or a COT sensor */
export async function openModes(
  page: Page,
  say: Say,
  url: string,
  boxId: string,
  channel: number,
): Promise<ModesOnPage> {
  await page.goto(`${url}/sensors/cot/detail?cotId=${boxId}&ch=${channel}`);
  await page.getByRole("list", { name: say("controller:modes"), exact: true }).waitFor();
  const line = (mode: ModeName) =>
    page.getByTestId("mode-head").filter({ hasText: new RegExp(`^${say(`common:mode.${mode}`)}`) });
  const body = page.locator("[data-testid=mode-body]:not([hidden])");
  const question = page.getByRole("alertdialog");
  const field = (name: ModeFieldName) => body.getByLabel(say(`controller:mode.field.${name}`));
  return {
    line,
    body,
    question,
    field,
    async open(mode) {
      if ((await line(mode).getAttribute("aria-expanded")) === "false") await line(mode).click();
      await body.waitFor();
    },
    fill: (name, text) => field(name).fill(text),
    save: () => body.locator("button[type=submit]").click(),
    toggle: () => body.getByRole("switch").click(),
    reset: () => body.getByRole("button", { name: say("controller:mode.reset"), exact: true }).click(),
    async confirm(kind) {
      await question
        .getByRole("button", { name: say(`controller:mode.ask.confirm.${kind}`), exact: true })
        .click();
      await question.waitFor({ state: "hidden" });
    },
  };
}

/** A controller's form, new or edited, in a visitor's language. */
export interface ControllerFormOnPage {
  fill(field: "name" | "serial" | "description", text: string): Promise<void>;
  chooseType(type: "CON04V" | "CON04E" | "CON01W"): Promise<void>;
  /** The checkbox of a channel, or of all. */
  check(channel: number | "all"): Locator;
  /** A channel's section of the form. */
  channel(number: number): Locator;
  addButton(number: number): Locator;
  /** Find a sensor by a part of its serial or name, select it and add it. */
  addSensor(number: number, by: "serial" | "name", text: string): Promise<void>;
  save(): Promise<void>;
}

export function controllerForm(page: Page, say: Say): ControllerFormOnPage {
  const dialog = page.getByRole("dialog");
  const name = (channel: number | "all") =>
    channel === "all"
      ? say("controller-edit:channels.all")
      : say("common:valve.channel", { number: channel });
  const addButton = (number: number) =>
    page.getByRole("button", { name: say("controller-edit:channels.addTo", { number }), exact: true });
  return {
    fill: (field, text) => page.locator(`[name=${field}]`).fill(text),
    async chooseType(type) {
      await page.locator("select[name=type]").selectOption(type);
    },
    check: (channel) => page.getByRole("checkbox", { name: name(channel), exact: true }),
    channel: (number) =>
      page.getByTestId("channel").filter({ has: page.getByText(name(number), { exact: true }) }),
    addButton,
    async addSensor(number, by, text) {
      await addButton(number).click();
      const search = dialog.getByRole("combobox", {
        name: say(`controller-edit:sensor.${by}`),
        exact: true,
      });
      await search.fill(text);
      await dialog.getByRole("option").first().click();
      await dialog.getByRole("button", { name: say("controller-edit:sensor.add"), exact: true }).click();
      await dialog.waitFor({ state: "hidden" });
    },
    save: () => page.locator("main form button[type=submit]").click(),
  };
}
