import type { DemoController, DemoDevice } from "./device.ts";
import { demoId, placed } from "./place.ts";

const ICHEON = { owner: "farmer", farm: "icheon", crops: "벼", latitude: 37.2316, longitude: 127.4873 };

export const ICHEON_DEVICES: readonly DemoDevice[] = [
  placed(ICHEON, {
    serial: 24110201,
    deviceType: "ATS02",
    name: "논 기상대",
    description: "실측 기상 재생(1시간 값) · 조도는 일사에서 환산, 배터리 합성",
    source: { kind: "replay", recipe: "weather", shiftDays: 2 },
    widget: true,
    fwversion: "3.0.2",
    north: 30,
    east: 15,
  }),
  placed(ICHEON, {
    serial: 24110202,
    deviceType: "WATERLEVEL",
    name: "윗논 수위 (합성)",
    description: "실측 없음, 모두 합성 · 물꼬를 열면 오릅니다",
    source: { kind: "synthetic" },
    widget: true,
    north: 5,
    east: -35,
  }),
];

export const ICHEON_CONTROLLERS: readonly DemoController[] = [
  {
    id: demoId(24110902),
    serial: 24110902,
    owner: "farmer",
    farm: "icheon",
    name: "윗논 자동 물꼬",
    description: "가상 1채널 물꼬 제어기",
    type: "CON01W",
    fwversion: "4.1.0",
    channels: [{ channelNumber: 1, sensorSerials: [24110202] }],
  },
];
