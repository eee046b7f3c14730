import type { Modes } from "@mulkko/shared/entities/modes";
import type { ChannelValue } from "@mulkko/shared/live/devices";
import type { Watering } from "@mulkko/shared/live/watering";
import { CommandBody } from "@mulkko/shared/rest/command";
import { parse } from "@mulkko/shared/schema/parse";
import { buildAccount } from "@mulkko/shared/testing/builders";
import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { createStore } from "zustand/vanilla";
import { createBrowserSession } from "../../../api/browser-session.ts";
import { createRestClient } from "../../../api/client.ts";
import { RestProvider } from "../../../api/queries.tsx";
import type { SessionState } from "../../../api/session.ts";
import { UiProvider } from "../../../components/provider.tsx";
import type { ValveUnit } from "../../../domain/valve/valve-units.ts";
import type { LiveTokens } from "../../../live/connection.ts";
import { LiveProvider, useLive } from "../../../live/hooks.ts";
import { createLiveClient, type LiveClient } from "../../../live/live-client.ts";
import { provideBrowserParts } from "../../../testing/browser-parts.ts";
import { speakKorean } from "../../../testing/speak-korean.ts";
import { ModeCards } from "./ModeCards.tsx";

const NO_MODES: Modes = { active: "none", automatic: null, reservation: null, period: null };
const PERIOD: Modes = {
  ...NO_MODES,
  active: "period",
  period: { wateringInterval: 240, wateringDuration: 5, repeat: true },
};
const RESERVATION = { onTime: "06:30", wateringDuration: 15, repeat: true };
const AUTOMATIC = { lowerBound: 20, upperBound: 40, wateringDuration: 10 };
const TRIGGER = "/api/v1/controller/channel/11/trigger";

const channelValue = (
  modes: Modes | null,
  onoff: 1 | 2 = 2,
  moisture: number | null = null,
): ChannelValue => ({
  controllerId: "c",
  serial: 24110901,
  number: 3,
  sensorIds: [],
  onoff,
  modes,
  moisture,
  runUntil: null,
  endsBy: null,
  command: null,
  at: null,
  heardAt: null,
  quality: "fresh",
});
const watering = (cause: Watering["cause"]): Watering => ({
  id: "w",
  channelId: "11",
  cause,
  by: null,
  start: "2026-11-22T00:00:00Z",
  end: null,
  endReason: null,
  moistureBefore: null,
  moistureAfter: null,
  litres: null,
});

interface PanelProps {
  form: ValveUnit["form"];
  controllerType: string;
  closeValve: () => void;
}

function Panel({ form, controllerType, closeValve }: PanelProps) {
  const value = useLive("channel", "11");
  if (!value) return null;
  const unit: ValveUnit = {
    id: "c",
    form,
    name: "House",
    serial: "24110901",
    type: controllerType,
    quality: "fresh",
    heardAt: null,
    rssi: null,
    link: null,
    channels: [],
  };
  return <ModeCards unit={unit} channel={{ id: "11", name: "Valves", value }} closeValve={closeValve} />;
}

interface Farm {
  /** Null if the relay does not report the farm API's extensions. */
  readonly extensions: readonly string[] | null;
  readonly form?: ValveUnit["form"];
  readonly controllerType?: string;
  /** Null if not reported. */
  readonly modes?: Modes | null;
  readonly running?: Watering["cause"];
  readonly moisture?: number;
  /** Answers by `METHOD path` or by a command's name; by default an empty 200. */
  readonly answers?: Readonly<Record<string, number | object | (() => object)>>;
  /** Called between a command and its answer. */
  readonly meanwhile?: () => void;
}

/** Render the panel of one channel over a farm API that stores what it receives. */
function show(farm: Farm) {
  const { extensions, form = "controller", controllerType = "CON04V" } = farm;
  const { modes = NO_MODES, running, moisture, answers = {}, meanwhile } = farm;
  const sent: string[] = [];
  let closed = 0;
  const answerOf = (key: string): Response => {
    const answer = answers[key] ?? {};
    if (answer instanceof Response) return answer;
    if (typeof answer === "function") return new Response(JSON.stringify(answer()));
    if (typeof answer !== "number") return new Response(JSON.stringify(answer));
    return new Response(JSON.stringify({ status: answer, code: "validation", message: "" }), {
      status: answer,
    });
  };
  const fetcher = async (path: string, init: RequestInit): Promise<Response> => {
    if (path === "/relay/config") {
      if (extensions === null) return new Response("", { status: 503 });
      return new Response(JSON.stringify({ apiTimezone: "Asia/Seoul", extensions, build: "b" }));
    }
    const key = `${init.method} ${path}`;
    const body: unknown = typeof init.body === "string" ? JSON.parse(init.body) : null;
    const asked = parse(CommandBody, body);
    if (path.endsWith("/cmd") && asked.ok) {
      const { command, payload } = asked.value;
      sent.push(`${path} ${command} ${payload}`);
      meanwhile?.();
      if (answers[command] !== undefined) return answerOf(command);
      return new Response(JSON.stringify({ commandId: "k", state: "accepted", target: null, until: null }));
    }
    sent.push(body === null ? key : `${key} ${JSON.stringify(body)}`);
    return answerOf(key);
  };
  const store = createStore<SessionState>(() => ({
    state: "signed-in",
    account: buildAccount(),
    accessToken: "token",
  }));
  const rest = {
    session: { ...createBrowserSession(), store },
    client: createRestClient({ accessToken: () => "token", refresh: async () => null }, fetcher),
  };
  const tokens: LiveTokens = {
    current: async () => "token",
    renew: async () => null,
    onToken: () => () => undefined,
  };
  const live: LiveClient = {
    ...createLiveClient(tokens),
    start: () => () => undefined,
  };
  live.link.setState({ screen: { state: "live" } });
  const report = (reported: Modes | null, onoff: 1 | 2 = running ? 1 : 2): void =>
    act(() =>
      live.store.apply({
        put: [{ kind: "channel", id: "11", value: channelValue(reported, onoff, moisture) }],
        remove: [],
      }),
    );
  report(modes);
  if (running)
    live.store.apply({ put: [{ kind: "watering", id: "w", value: watering(running) }], remove: [] });
  const closeValve = () => {
    closed += 1;
  };
  const router = createMemoryRouter([
    { path: "/", element: <Panel form={form} controllerType={controllerType} closeValve={closeValve} /> },
  ]);
  render(
    <UiProvider>
      <RestProvider rest={rest}>
        <LiveProvider tokens={tokens} client={live}>
          <RouterProvider router={router} />
        </LiveProvider>
      </RestProvider>
    </UiProvider>,
  );
  return { sent, report, closed: () => closed };
}

const openMode = (name: string): void => {
  const button = screen.getAllByRole("button").find((each) => each.textContent?.startsWith(name));
  if (!button) throw new Error(`there is no ${name}`);
  if (button.getAttribute("aria-expanded") === "false") fireEvent.click(button);
};
const type = (label: RegExp, value: string): void => {
  const field = screen.getAllByLabelText(label).find((each) => each.closest("[hidden]") === null);
  if (!field) throw new Error(`there is no field ${label}`);
  fireEvent.change(field, { target: { value } });
};
const button = async (name: string): Promise<HTMLElement> => {
  const found = await screen.findByRole("button", { name });
  await waitFor(() => expect(found.hasAttribute("disabled")).toBe(false));
  return found;
};
const press = async (name: string): Promise<void> => {
  fireEvent.click(await button(name));
};
/** Click the button of this name in the open section. */
const pressVisible = async (name: string): Promise<void> => {
  const found = (await screen.findAllByRole("button", { name })).find(
    (each) => each.closest("[hidden]") === null,
  );
  if (!found) throw new Error(`there is no ${name}`);
  await waitFor(() => expect(found.hasAttribute("disabled")).toBe(false));
  fireEvent.click(found);
};
const dialog = () => within(screen.getByRole("alertdialog"));

describe("three modes of a channel", () => {
  beforeAll(async () => {
    provideBrowserParts();
    await speakKorean();
  });
  afterEach(cleanup);

  it("[WAT-3] names the active mode and opens only that one", () => {
    show({ extensions: ["mode-enable"], modes: PERIOD });
    expect(screen.getByText("사용 중")).toBeTruthy();
    expect(screen.getAllByRole("button", { expanded: true })).toHaveLength(1);
    openMode("예약");
    expect(screen.getByRole("button", { expanded: true }).textContent).toContain("예약");
  });

  it("[WAT-3] says what an incomplete active mode lacks, not that it waters", () => {
    show({ extensions: ["mode-enable"], modes: { ...PERIOD, incomplete: "interval" } });
    expect(screen.getByText("간격이 없어 대기 중")).toBeTruthy();
    expect(screen.queryByText("사용 중")).toBeNull();
  });

  it("[modes] disables its buttons until it is known if saving opens the valve", async () => {
    const { sent } = show({ extensions: null });
    openMode("자동");
    type(/최소 수분/, "20");
    type(/관수 시간/, "5");
    const save = screen.getByRole("button", { name: "저장" });
    fireEvent.click(save);
    expect(save.hasAttribute("disabled")).toBe(true);
    expect(sent).toEqual([]);
  });

  it("[spec 8] reports missing values at their fields and sends nothing", async () => {
    const { sent } = show({ extensions: ["mode-enable"] });
    openMode("자동");
    await press("저장");
    expect(await screen.findByText("관수 시간을 입력해 주세요")).toBeTruthy();
    expect(screen.getByText(/최소 수분이나 최대 수분 중 하나는/)).toBeTruthy();
    // Focus moves to the first invalid field, although the form has no submit event.
    expect(document.activeElement?.getAttribute("aria-invalid")).toBe("true");
    expect(sent).toEqual([]);
  });

  it.each([
    ["CON04V", false],
    ["CON04E", true],
    ["CON01W", true],
    ["VALVE-9", false],
  ])("[WAT-3] warns before saving that a %s measures no moisture: %s", (controllerType, warns) => {
    show({ extensions: ["mode-enable"], controllerType });
    openMode("자동");
    expect(screen.queryByText(/센서는 수분을 재지 않아/) !== null).toBe(warns);
  });

  it("[mode-enable] only saves with the save button, and is done when the channel reports it", async () => {
    const { sent, report } = show({ extensions: ["mode-enable"], modes: PERIOD });
    openMode("자동");
    type(/최소 수분/, "20,5");
    type(/관수 시간/, "5");
    await press("저장");
    await screen.findByText("저장함 · 컨트롤러 확인 중");
    expect(sent).toEqual([
      `GET ${TRIGGER}`,
      `POST ${TRIGGER} {"wateringDuration":5,"lowerBound":20.5,"active":false}`,
    ]);
    report({ ...PERIOD, automatic: { lowerBound: 20.5, upperBound: null, wateringDuration: 5 } });
    expect(screen.queryByText("저장함 · 컨트롤러 확인 중")).toBeNull();
    expect(screen.getByText("20.5– % · 5분")).toBeTruthy();
  });

  it("[mode-enable] waits for a report that has not been read yet, and does not call the device silent", async () => {
    const { report } = show({ extensions: ["mode-enable"], modes: null });
    openMode("자동");
    type(/최소 수분/, "20");
    type(/관수 시간/, "5");
    await press("저장");
    await screen.findByText("저장함 · 컨트롤러 확인 중");
    expect(screen.queryByText(/알려 주지 않아/)).toBeNull();
    report({ ...NO_MODES, automatic: { lowerBound: 20, upperBound: null, wateringDuration: 5 } });
    expect(screen.queryByText("저장함 · 컨트롤러 확인 중")).toBeNull();
  });

  it("[mode-enable] confirms a switch to another mode and shows it once the channel reports it", async () => {
    const modes = { ...PERIOD, reservation: RESERVATION };
    const { sent, report } = show({ extensions: ["mode-enable"], modes });
    openMode("예약");
    const use = await screen.findByRole("switch", { name: "이 방식 사용" });
    await waitFor(() => expect(use.hasAttribute("disabled")).toBe(false));
    fireEvent.click(use);
    expect(screen.getByText("간격 방식을 끄고 예약 방식을 켤까요?")).toBeTruthy();
    expect(sent).toEqual([]);
    fireEvent.click(dialog().getByRole("button", { name: "켜기" }));
    await screen.findByText("켜는 중 · 컨트롤러 확인 중");
    expect(sent).toEqual(['PUT /api/v1/controller/channel/11/mode {"active":"reservation"}']);
    expect(use.matches(":checked")).toBe(false);
    report({ ...modes, active: "reservation" });
    expect(use.matches(":checked")).toBe(true);
    expect(screen.queryByText("켜는 중 · 컨트롤러 확인 중")).toBeNull();
  });

  it("[MODE-1] warns with the current moisture before switching on automatic if that waters at once", async () => {
    const modes = { ...NO_MODES, automatic: { lowerBound: 30, upperBound: 35, wateringDuration: 5 } };
    const { sent, report } = show({ extensions: ["mode-enable"], modes, moisture: 27.9 });
    openMode("자동");
    const use = await screen.findByRole("switch", { name: "이 방식 사용" });
    await waitFor(() => expect(use.hasAttribute("disabled")).toBe(false));
    fireEvent.click(use);
    expect(dialog().getByText("현재 수분이 27.9 %라서 켜면 바로 물을 줍니다.")).toBeTruthy();
    expect(sent).toEqual([]);
    fireEvent.click(dialog().getByRole("button", { name: "켜기" }));
    await screen.findByText("켜는 중 · 컨트롤러 확인 중");
    report({ ...modes, active: "automatic" });
    // Raising a bound above the current moisture of the active mode also opens the valve.
    type(/최소 수분/, "33");
    await press("저장");
    expect(dialog().getByText("현재 수분이 27.9 %라서 저장하면 바로 물을 줍니다.")).toBeTruthy();
    expect(sent).toHaveLength(1);
  });

  it("[MODE-3] leaves a saved mode off, with a button to switch it on", async () => {
    const { sent, report } = show({ extensions: ["mode-enable"] });
    openMode("예약");
    type(/^시작 시각/, "06:00");
    type(/관수 시간/, "10");
    await press("저장");
    const still = await screen.findByText("저장했습니다. 아직 꺼져 있습니다", {
      selector: "[role=status]",
    });
    expect(sent.at(-1)).toContain('"repeat":true');
    const saved = { ...NO_MODES, reservation: { onTime: "06:00", wateringDuration: 10, repeat: true } };
    report(saved);
    expect(screen.getByText("꺼짐")).toBeTruthy();
    fireEvent.click(within(still).getByRole("button", { name: "켜기" }));
    await waitFor(() => expect(sent.at(-1)).toContain('{"active":"reservation"}'));
    report({ ...saved, active: "reservation" });
    expect(screen.queryByText("꺼짐")).toBeNull();
    expect(screen.queryByText("아직 꺼져 있습니다", { exact: false, selector: "[role=status]" })).toBeNull();
  });

  it("[mode-enable] saves changes before it activates the mode", async () => {
    const { sent } = show({ extensions: ["mode-enable"] });
    openMode("간격");
    type(/간격/, "60");
    type(/관수 시간/, "5");
    const use = await screen.findByRole("switch", { name: "이 방식 사용" });
    await waitFor(() => expect(use.hasAttribute("disabled")).toBe(false));
    fireEvent.click(use);
    expect(screen.getByText("바뀐 값도 함께 저장합니다.")).toBeTruthy();
    fireEvent.click(dialog().getByRole("button", { name: "켜기" }));
    await waitFor(() => expect(sent).toHaveLength(3));
    expect(sent[1]).toContain('"active":false');
    expect(sent[2]).toBe('PUT /api/v1/controller/channel/11/mode {"active":"period"}');
  });

  it("[mode-enable] does not call saved values changed before the channel reports them", async () => {
    const { sent } = show({ extensions: ["mode-enable"] });
    openMode("간격");
    type(/간격/, "60");
    type(/관수 시간/, "5");
    await press("저장");
    await screen.findByText("저장함 · 컨트롤러 확인 중");
    const use = await screen.findByRole("switch", { name: "이 방식 사용" });
    await waitFor(() => expect(use.hasAttribute("disabled")).toBe(false));
    fireEvent.click(use);
    await screen.findByText("켜는 중 · 컨트롤러 확인 중");
    expect(screen.queryByText("바뀐 값도 함께 저장합니다.")).toBeNull();
    expect(sent.map((each) => each.split(" ")[0])).toEqual(["GET", "POST", "PUT"]);
  });

  it("[modes] shows a refusal of the farm API at the form field that it concerns", async () => {
    const errors = [{ field: "offDelayMinutes", defaultMessage: "no" }];
    const body = { status: 422, code: "validation", message: "", errors };
    const refusal = new Response(JSON.stringify(body), { status: 422 });
    const path = "/api/v1/controller/channel/11/period";
    show({ extensions: ["mode-enable"], answers: { [`POST ${path}`]: refusal } });
    openMode("간격");
    type(/관수 시간/, "5");
    await press("저장");
    const minutes = screen.getByRole("textbox", { name: /관수 시간/ });
    await waitFor(() => expect(minutes.getAttribute("aria-invalid")).toBe("true"));
    expect(document.activeElement).toBe(minutes);
  });

  it("[mode-enable] does not activate a mode that could not be saved", async () => {
    const path = "/api/v1/controller/channel/11/period";
    const { sent } = show({ extensions: ["mode-enable"], answers: { [`POST ${path}`]: 422 } });
    openMode("간격");
    type(/관수 시간/, "5");
    const use = await screen.findByRole("switch", { name: "이 방식 사용" });
    await waitFor(() => expect(use.hasAttribute("disabled")).toBe(false));
    fireEvent.click(use);
    fireEvent.click(dialog().getByRole("button", { name: "켜기" }));
    await screen.findByText(/저장하지 못했습니다/);
    expect(sent.map((each) => each.split(" ")[0])).toEqual(["GET", "POST"]);
  });

  it("[modes] offers to close the valve when switching off while water runs, and keeps the values", async () => {
    const { sent, closed } = show({ extensions: ["mode-enable"], modes: PERIOD, running: "period" });
    const use = await screen.findByRole("switch", { name: "이 방식 사용" });
    await waitFor(() => expect(use.hasAttribute("disabled")).toBe(false));
    fireEvent.click(use);
    expect(dialog().getByText("저장한 값은 그대로 남습니다.")).toBeTruthy();
    expect(dialog().getByRole("checkbox").matches(":checked")).toBe(true);
    fireEvent.click(dialog().getByRole("button", { name: "끄기" }));
    await waitFor(() => expect(closed()).toBe(1));
    expect(sent).toEqual(['PUT /api/v1/controller/channel/11/mode {"active":"none","insteadOf":"period"}']);
  });

  it("[modes] saves and activates with one button after a confirmation for an API without extensions", async () => {
    const { sent } = show({ extensions: [], modes: PERIOD });
    openMode("예약");
    type(/^시작 시각/, "06:30");
    type(/관수 시간/, "15");
    const saves = (await screen.findAllByRole("button", { name: "저장하고 켜기" })).find(
      (each) => each.closest("[hidden]") === null,
    );
    if (!saves) throw new Error("there is no button");
    fireEvent.click(saves);
    expect(screen.getByText("간격 방식을 끄고 예약 방식을 켤까요?")).toBeTruthy();
    fireEvent.click(dialog().getByRole("button", { name: "켜기" }));
    await waitFor(() => expect(sent.length).toBeGreaterThan(1));
    expect(sent[1]).toBe(
      'POST /api/v1/controller/channel/11/reservation {"offDelayMinutes":15,"onTime":"06:30","repeat":true}',
    );
  });

  it("[MODE-4] resets other active modes of an API without extensions, as announced in the confirmation", async () => {
    let automatic = 1;
    const { sent } = show({
      extensions: [],
      modes: { ...NO_MODES, active: "automatic", automatic: AUTOMATIC },
      meanwhile: () => {
        automatic = 0;
      },
      answers: {
        "GET /api/v1/controller/24110901/channel/11/refresh": () => ({ automatic, reservation: 1 }),
      },
    });
    openMode("예약");
    type(/관수 시간/, "15");
    await pressVisible("저장하고 켜기");
    expect(dialog().getByText("자동의 값은 지워질 수 있습니다.")).toBeTruthy();
    fireEvent.click(dialog().getByRole("button", { name: "켜기" }));
    await screen.findByText("켜는 중 · 컨트롤러 확인 중");
    const refresh = "GET /api/v1/controller/24110901/channel/11/refresh";
    expect(sent.slice(2)).toEqual([refresh, "/api/v1/controller/cmd automatic/reset 1", refresh]);
  });

  it("[MODE-4] shows every active mode as on, with a button to switch each off", () => {
    show({ extensions: [], modes: { ...PERIOD, alsoOn: ["reservation"], reservation: RESERVATION } });
    expect(screen.getAllByText("사용 중")).toHaveLength(2);
    expect(screen.getByText(/여러 방식이 함께 켜져 있습니다: 간격, 예약/)).toBeTruthy();
  });

  it("[MODE-4] shows unreported modes as unknown: neither manual nor not set", () => {
    show({ extensions: [], form: "sensor", modes: null });
    expect(screen.getByText(/어떤 방식이 켜져 있는지 알 수 없습니다/)).toBeTruthy();
    expect(screen.getAllByText("--")).toHaveLength(3);
    expect(screen.queryByText("설정 없음")).toBeNull();
  });

  it("[modes] resets a mode to switch it off for an API without extensions, and says that this clears the values", async () => {
    const { sent, report } = show({ extensions: [], modes: PERIOD });
    await press("끄기");
    expect(dialog().getByText(/값과 반복 설정이 지워집니다/)).toBeTruthy();
    fireEvent.click(dialog().getByRole("button", { name: "끄기" }));
    await screen.findByText("초기화하는 중 · 컨트롤러 확인 중");
    expect(sent).toEqual(["/api/v1/controller/cmd period/reset 1"]);
    const minutes = () =>
      screen
        .getAllByLabelText<HTMLInputElement>(/관수 시간/)
        .find((each) => each.closest("[hidden]") === null)?.value;
    expect(minutes()).toBe("5");
    report(NO_MODES);
    expect(minutes()).toBe("");
  });

  it("[modes] leaves no unsaved values after a reset that the channel reports before the answer", async () => {
    const farm = show({ extensions: [], modes: PERIOD, meanwhile: () => farm.report(NO_MODES) });
    await press("끄기");
    fireEvent.click(dialog().getByRole("button", { name: "끄기" }));
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
    openMode("간격");
    const minutes = screen
      .getAllByLabelText<HTMLInputElement>(/관수 시간/)
      .find((each) => each.closest("[hidden]") === null);
    expect(minutes?.value).toBe("");
  });

  it("[modes] sends values to a COT sensor one by one and names those accepted before a refusal", async () => {
    const refused = { commandId: "k", state: "refused", target: null, until: null, reason: "validation" };
    const { sent } = show({
      extensions: ["mode-enable"],
      form: "sensor",
      answers: { "automatic/low": refused },
    });
    openMode("자동");
    type(/최소 수분/, "20");
    type(/관수 시간/, "5");
    const saves = (await screen.findAllByRole("button", { name: "저장하고 켜기" })).find(
      (each) => each.closest("[hidden]") === null,
    );
    if (!saves) throw new Error("there is no button");
    fireEvent.click(saves);
    await screen.findByText(/최소 수분: 거절되었습니다.*접수된 값: 관수 시간/);
    expect(sent).toEqual(["/api/v1/sensor/cmd automatic/watering 5", "/api/v1/sensor/cmd automatic/low 20"]);
  });

  it("[modes] stops at a missing answer, whose command may have arrived, and names those accepted before", async () => {
    const { sent } = show({ extensions: [], form: "sensor", answers: { "automatic/low": 503 } });
    openMode("자동");
    type(/최소 수분/, "20");
    type(/최대 수분/, "30");
    type(/관수 시간/, "5");
    await pressVisible("저장하고 켜기");
    await screen.findByText(/최소 수분: 전달되었는지 알 수 없습니다.*접수된 값: 관수 시간/);
    expect(sent).toEqual(["/api/v1/sensor/cmd automatic/watering 5", "/api/v1/sensor/cmd automatic/low 20"]);
  });

  it("[spec 8] quotes the refusal of a farm API without codes, with the command concerned", async () => {
    const refused = { commandId: "k", state: "refused", target: null, until: null, reason: "점검 중입니다" };
    const { sent } = show({
      extensions: [],
      form: "sensor",
      modes: PERIOD,
      answers: { "period/reset": refused },
    });
    fireEvent.click(await screen.findByRole("button", { name: "초기화" }));
    fireEvent.click(dialog().getByRole("button", { name: "초기화" }));
    expect(await screen.findByText(/서버에서 거절했습니다: 점검 중입니다/)).toBeTruthy();
    expect(sent).toHaveLength(1);
  });

  it("[modes] keeps unsaved values in a closed section and says so", async () => {
    show({ extensions: ["mode-enable"] });
    openMode("자동");
    type(/최소 수분/, "20");
    openMode("간격");
    expect(screen.getByText("저장 안 됨")).toBeTruthy();
    openMode("자동");
    const low = screen.getByLabelText<HTMLInputElement>(/최소 수분/);
    expect(low.value).toBe("20");
  });

  it("[modes] shows values saved on another screen at once in untouched fields", () => {
    const { report } = show({ extensions: ["mode-enable"], modes: PERIOD });
    type(/간격/, "300");
    report({ ...PERIOD, period: { wateringInterval: 240, wateringDuration: 9, repeat: false } });
    const value = (label: RegExp) =>
      screen.getAllByLabelText<HTMLInputElement>(label).find((each) => each.closest("[hidden]") === null)
        ?.value;
    expect([value(/간격/), value(/관수 시간/)]).toEqual(["300", "9"]);
  });
});
