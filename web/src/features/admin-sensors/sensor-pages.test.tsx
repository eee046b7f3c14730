import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { keepDraft } from "../../domain/form/use-form.ts";
import { createPageBench, type PageBench, refusal } from "../../testing/page-bench.tsx";
import { AdminSensorAddPage } from "./AdminSensorAddPage.tsx";
import { AdminSensorPage } from "./AdminSensorPage.tsx";

const SENSOR = {
  id: "s1",
  name: "1동 흙",
  deviceType: "SMS",
  serial: 2_400,
  userId: "u1",
  username: "farmer",
};
const OWNER = { id: "u2", username: "neighbor", nickname: "이웃" };

/** Farm API without Mulkko's error codes. */
const foreign = (status: number, message: string) => Response.json({ status, message }, { status });

describe("sensor forms of administrators", () => {
  let bench: PageBench;
  const press = (name: string) => act(async () => fireEvent.click(screen.getByRole("button", { name })));
  const field = (name: string) => {
    const element = document.querySelector<HTMLInputElement>(`form [name=${name}]`);
    if (!element) throw new Error(`there is no ${name}`);
    return element;
  };
  const type = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });
  const fault = (name: string) =>
    field(name).closest("[data-testid=field]")?.querySelector("[role=alert]")?.textContent;
  const form = (call: string) => {
    const requests = bench.requests.find((each) => each.call.startsWith(call));
    return requests === undefined ? null : Object.fromEntries(new URLSearchParams(String(requests.body)));
  };

  beforeEach(async () => {
    bench = await createPageBench();
    bench.answer = (call) => {
      if (call.startsWith("GET /api/v1/admin/sensors")) return [SENSOR];
      return call.startsWith("GET /api/v1/admin/users") ? [OWNER] : undefined;
    };
  });
  afterEach(() => {
    cleanup();
    localStorage.clear();
  });

  describe("existing sensor", () => {
    const open = async () => {
      bench.show(<AdminSensorPage />, "/adminpage/sensor?id=s1");
      await screen.findByDisplayValue("s1");
    };
    /** @param reply returns the answer to the update */
    const answerWith = (reply: () => unknown) => {
      const { answer } = bench;
      bench.answer = (call) => (call.startsWith("GET") ? answer(call) : reply());
    };

    it("[spec 1] requires a numeric serial, and returns to the list after saving", async () => {
      await open();
      expect(screen.getByDisplayValue<HTMLInputElement>("s1").readOnly).toBe(true);
      answerWith(() => null);
      for (const serial of ["", "24-11"]) {
        type("serial", serial);
        await press("저장");
        expect(field("serial").getAttribute("aria-invalid"), serial).toBe("true");
      }
      expect(form("PUT")).toBeNull();
      type("serial", "0002411");
      await press("저장");
      await waitFor(() => expect(bench.path()).toBe("/adminpage/sensors"));
      expect(form("PUT /api/v1/admin/sensor/update")).toMatchObject({ id: "s1", serial: "2411" });
    });

    it("[form] does not send what the list does not contain: farm, crop and card stay unchanged", async () => {
      await open();
      answerWith(() => null);
      type("name", "1동 새 이름");
      await press("저장");
      await waitFor(() =>
        expect(form("PUT")).toEqual({ id: "s1", name: "1동 새 이름", deviceType: "SMS", serial: "2400" }),
      );
    });

    it.each([
      ["keeps", ["admin-crops"], 1],
      ["does not know", [], 0],
    ])(
      "[form] offers and sends a crop according to the farm API, which %s it",
      async (_how, extensions, fields) => {
        const { answer } = bench;
        bench.answer = (call) => {
          if (call === "GET /relay/config") return { apiTimezone: "Asia/Seoul", extensions, build: "b" };
          return call.startsWith("GET /api/v1/admin/sensors") ? [{ ...SENSOR, crops: "딸기" }] : answer(call);
        };
        await open();
        await act(async () => undefined);
        expect(document.querySelectorAll("form [name=crops]")).toHaveLength(fields);
        answerWith(() => null);
        type("name", "1동 새 이름");
        await press("저장");
        await waitFor(() => expect(form("PUT")).not.toBeNull());
        expect(form("PUT")?.crops).toBe(fields === 1 ? "딸기" : undefined);
      },
    );

    it("[spec 1] restores an emptied coordinate", async () => {
      const { answer } = bench;
      bench.answer = (call) =>
        call.startsWith("GET /api/v1/admin/sensors")
          ? [{ ...SENSOR, latitude: 36.2, longitude: 127.1 }]
          : answer(call);
      await open();
      type("latitude", "");
      fireEvent.blur(field("latitude"));
      expect(field("latitude").value).toBe("36.2");
    });

    it("[form] reports a serial in use at its field", async () => {
      await open();
      answerWith(() => refusal(409, "conflict"));
      type("serial", "2411");
      await press("저장");
      await waitFor(() => expect(fault("serial")).toBe("이미 등록된 일련번호입니다"));
      expect(field("serial").value).toBe("2411");
    });

    it("[form] asks before leaving during a save, and does not ask after it", async () => {
      await open();
      let respond: (answer: unknown) => void = () => undefined;
      answerWith(
        () =>
          new Promise((resolve) => {
            respond = resolve;
          }),
      );
      type("serial", "2411");
      await press("저장");
      await press("취소");
      fireEvent.click(await screen.findByRole("button", { name: "계속 입력" }));
      expect(bench.path()).toBe("/adminpage/sensor?id=s1");
      respond(null);
      await waitFor(() => expect(bench.path()).toBe("/adminpage/sensors"));
      expect(screen.queryByRole("alertdialog")).toBeNull();
    });

    it("[spec 8] says why a farm API without codes does not return a sensor, and loads it again", async () => {
      bench.answer = () => foreign(423, "점검 중입니다");
      bench.show(<AdminSensorPage />, "/adminpage/sensor?id=s1");
      expect((await screen.findByRole("alert")).textContent).toContain(
        "서버에서 거절했습니다: 점검 중입니다",
      );
      bench.answer = () => [SENSOR];
      await press("다시 시도");
      await screen.findByDisplayValue("s1");
    });
  });

  describe("new sensor", () => {
    const fill = async () => {
      bench.show(<AdminSensorAddPage />, "/adminpage/sensor/add");
      type("name", "새 센서");
      type("serial", "2411");
      const owner = screen.getByRole("combobox", { name: /소유자/ });
      fireEvent.focus(owner);
      fireEvent.change(owner, { target: { value: "neigh" } });
      fireEvent.click(await screen.findByRole("option", { name: /neighbor/ }));
      await waitFor(() => expect(owner).toHaveProperty("value", "neighbor (이웃)"));
    };

    it("[spec 1] requires owner, name and serial", async () => {
      bench.show(<AdminSensorAddPage />, "/adminpage/sensor/add");
      expect([field("deviceType").value, field("clusterId").value]).toEqual(["SMS", "0"]);
      await press("등록");
      for (const name of ["name", "serial"]) expect(fault(name), name).toBeTruthy();
      expect(screen.getByRole("combobox", { name: /소유자/ }).getAttribute("aria-invalid")).toBe("true");
      expect(form("POST")).toBeNull();
    });

    it("[form] reports an owner that does not exist or was not selected", async () => {
      bench.show(<AdminSensorAddPage />, "/adminpage/sensor/add");
      await press("등록");
      const owner = screen.getByRole("combobox", { name: /소유자/ });
      const expectFault = (text: string, sentence: string) => {
        fireEvent.change(owner, { target: { value: text } });
        return waitFor(() =>
          expect(owner.closest("[data-testid=field]")?.querySelector("[role=alert]")?.textContent).toBe(
            sentence,
          ),
        );
      };
      await expectFault("neigh", "목록에서 계정을 골라 주세요");
      await expectFault("nobody", "이 이름의 계정이 없습니다");
      bench.answer = () => foreign(503, "");
      await expectFault("neig", "계정을 불러오지 못했습니다. 다시 입력해 주세요");
      bench.answer = () => [OWNER];
      await expectFault("", "입력해 주세요");
    });

    it("[form] restores the selected owner after a new sign-in", async () => {
      const draft = { userId: "u2", ownerText: "neighbor (이웃)", name: "새 센서", serial: "2411" };
      keepDraft("new sensor by 00000000-0000-4000-8000-000000000001", draft);
      bench.show(<AdminSensorAddPage />, "/adminpage/sensor/add");
      const owner = screen.getByRole<HTMLInputElement>("combobox", { name: /소유자/ });
      expect(owner.value).toBe("neighbor (이웃)");
      bench.answer = () => null;
      await press("등록");
      expect(form("POST")).toMatchObject({ userId: "u2", name: "새 센서" });
      expect(form("POST")).not.toHaveProperty("ownerText");
    });

    it("[spec 1] navigates to the dashboard if the API issues no key", async () => {
      await fill();
      bench.answer = () => null;
      await press("등록");
      await waitFor(() => expect(bench.path()).toBe("/dashboard"));
      expect(form("POST /api/v1/admin/sensor/add")).toMatchObject({
        userId: "u2",
        name: "새 센서",
        serial: "2411",
        clusterId: "0",
      });
    });

    it("[spec 1] says that the registration failed, and quotes a farm API without codes", async () => {
      await fill();
      bench.answer = () => foreign(423, "계약이 끝난 농장입니다");
      await press("등록");
      await waitFor(() =>
        expect(screen.getByRole("alert").textContent).toBe(
          "센서를 등록하지 못했습니다. 서버에서 거절했습니다: 계약이 끝난 농장입니다",
        ),
      );
      expect(field("serial").value).toBe("2411");
    });
  });
});
