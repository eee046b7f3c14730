import type { DemoController, DemoDevice } from "./device.ts";
import { demoId, placed } from "./place.ts";

const BUYEO = {
  owner: "neighbor",
  farm: "buyeo",
  crops: "대추방울토마토",
  latitude: 36.2781,
  longitude: 126.8702,
};

export const NEIGHBOR_DEVICES: readonly DemoDevice[] = [
  placed(BUYEO, {
    serial: 24110301,
    deviceType: "SMS",
    name: "토마토 1동 토양수분",
    description: "실측 토양수분 재생 · 배터리 합성",
    source: { kind: "replay", recipe: "soil", shiftDays: 5 },
    widget: true,
    north: 20,
    east: -20,
  }),
  placed(BUYEO, {
    serial: 24110302,
    deviceType: "SMS",
    name: "토마토 2동 토양수분",
    description: "실측 토양수분 재생 · 배터리 합성",
    source: { kind: "replay", recipe: "soil", shiftDays: 11 },
    north: 20,
    east: 20,
  }),
  placed(BUYEO, {
    serial: 24110303,
    deviceType: "CO2",
    name: "토마토 1동 이산화탄소",
    description: "실측 CO₂와 온실 컴퓨터 온습도 재생 · 일사는 PAR에서 환산",
    source: { kind: "replay", recipe: "climateComputer", shiftDays: 7 },
    widget: true,
    north: 25,
    east: -15,
  }),
];

export const NEIGHBOR_CONTROLLERS: readonly DemoController[] = [
  {
    id: demoId(24110903),
    serial: 24110903,
    owner: "neighbor",
    farm: "buyeo",
    name: "토마토 관수 제어기",
    description: "가상 밸브 제어기 · 2채널 사용",
    type: "CON04V",
    fwversion: "4.1.0",
    channels: [
      { channelNumber: 1, sensorSerials: [24110301] },
      {
        channelNumber: 2,
        sensorSerials: [24110302],
        watering: { mode: "period", wateringInterval: 360, wateringDuration: 10, repeat: true },
      },
    ],
  },
];
