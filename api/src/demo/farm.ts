import type { ControllerType } from "@mulkko/shared/catalogue/controller-types";
import type { RecipeName } from "./recipes.ts";
import { SAND_SOAK, type Soak } from "./wetness.ts";

/** Source of a demo device's readings. */
type DeviceSource =
  /** Columns of the greenhouse recording, shifted by `shiftDays` in its loop. */
  | { readonly kind: "replay"; readonly recipe: RecipeName; readonly shiftDays: number }
  /** The recorded water uses. */
  | { readonly kind: "flow" }
  /** Synthetic, and named as such. */
  | { readonly kind: "synthetic" }
  /** No readings: the device reports the state of its valves. */
  | { readonly kind: "valves" };

interface DemoAccount {
  /** Fixed, so that links into the demo stay valid. */
  readonly id: string;
  readonly username: string;
  readonly nickname: string;
  readonly userType: "ADMIN" | "USER";
  readonly userAddress: string;
  readonly farmAddress: string;
  readonly phone: string;
  readonly timezone: string;
  readonly language: "KO" | "EN" | "ZH";
}

interface DemoFarm {
  /** Name of the farm within the demo; the database numbers it. */
  readonly key: string;
  /** Username. */
  readonly owner: string;
  readonly name: string;
  readonly description: string;
}

export interface DemoDevice {
  readonly id: string;
  readonly serial: number;
  /** Username. */
  readonly owner: string;
  /** Key of a farm. */
  readonly farm: string;
  readonly deviceType: string;
  readonly name: string;
  readonly description: string;
  readonly crops: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly widget: boolean;
  /** Channels of a COT sensor; 0 for every other type. */
  readonly chNums: number;
  readonly fwversion: string;
  readonly source: DeviceSource;
}

/** The watering mode initially active on a demo channel. Times are minutes, bounds percent. */
export type DemoMode =
  | {
      readonly mode: "automatic";
      readonly lowerBound: number | null;
      readonly upperBound: number | null;
      readonly wateringDuration: number;
    }
  | {
      readonly mode: "reservation";
      readonly onTime: string;
      readonly wateringDuration: number;
      readonly repeat: boolean;
    }
  | {
      readonly mode: "period";
      readonly wateringInterval: number;
      readonly wateringDuration: number;
      readonly repeat: boolean;
    };

interface DemoChannel {
  /** 1 to 8. */
  readonly channelNumber: number;
  readonly sensorSerials: readonly number[];
  readonly watering?: DemoMode;
  /** Effect of its water on its sensors, if it differs from the controller's. */
  readonly soak?: Soak;
}

export interface DemoController {
  readonly id: string;
  readonly serial: number;
  /** Username. */
  readonly owner: string;
  /** Key of the farm of its sensors. */
  readonly farm: string;
  readonly name: string;
  readonly description: string;
  readonly type: ControllerType;
  readonly fwversion: string;
  readonly channels: readonly DemoChannel[];
}

/** Common properties of the devices of one demo farm. */
interface Place {
  readonly owner: string;
  readonly farm: string;
  readonly crops: string;
  readonly latitude: number;
  readonly longitude: number;
}

type Particular = Pick<DemoDevice, "serial" | "deviceType" | "name" | "description" | "source"> &
  Partial<DemoDevice> & {
    /** Metres north and east of the farm's centre. */
    readonly north: number;
    readonly east: number;
  };

const METRES_PER_DEGREE = 111_320;

const degrees = (value: number): number => Math.round(value * 1e6) / 1e6;

/** Return the fixed identifier of a demo device. */
function demoId(serial: number): string {
  return `d0e50000-0000-4000-8000-${String(serial).padStart(12, "0")}`;
}

/** Place a device on a farm; the farm supplies missing properties. */
function placed(place: Place, { north, east, ...device }: Particular): DemoDevice {
  const metresPerDegreeEast = METRES_PER_DEGREE * Math.cos((place.latitude * Math.PI) / 180);
  return {
    id: demoId(device.serial),
    owner: place.owner,
    farm: place.farm,
    crops: place.crops,
    latitude: degrees(place.latitude + north / METRES_PER_DEGREE),
    longitude: degrees(place.longitude + east / metresPerDegreeEast),
    widget: false,
    chNums: 0,
    fwversion: "2.4.1",
    ...device,
  };
}

const NONSAN = {
  owner: "farmer",
  farm: "nonsan",
  crops: "설향 딸기",
  latitude: 36.2052,
  longitude: 127.1398,
};

const SOIL_NOTE = "실측 토양수분 재생 · 배터리 합성";

const NONSAN_DEVICES: readonly DemoDevice[] = [
  placed(NONSAN, {
    serial: 24110101,
    deviceType: "SMS",
    name: "1동 앞 베드 토양수분",
    description: SOIL_NOTE,
    source: { kind: "replay", recipe: "soil", shiftDays: 0 },
    widget: true,
    north: 40,
    east: -60,
  }),
  placed(NONSAN, {
    serial: 24110102,
    deviceType: "SMS",
    name: "1동 뒤 베드 토양수분",
    description: SOIL_NOTE,
    source: { kind: "replay", recipe: "soil", shiftDays: 3 },
    north: 62,
    east: -60,
  }),
  placed(NONSAN, {
    serial: 24110103,
    deviceType: "SMS",
    name: "2동 토양수분",
    description: SOIL_NOTE,
    source: { kind: "replay", recipe: "soil", shiftDays: 6 },
    north: 50,
    east: -20,
  }),
  placed(NONSAN, {
    serial: 24110104,
    deviceType: "SMS",
    name: "3동 토양수분",
    description: SOIL_NOTE,
    source: { kind: "replay", recipe: "soil", shiftDays: 8 },
    north: 50,
    east: 20,
  }),
  placed(NONSAN, {
    serial: 24110105,
    deviceType: "SMS",
    name: "4동 토양수분",
    description: SOIL_NOTE,
    source: { kind: "replay", recipe: "soil", shiftDays: 12 },
    north: 50,
    east: 60,
  }),
  placed(NONSAN, {
    serial: 24110106,
    deviceType: "SOIL",
    name: "육묘장 토양수분",
    description: SOIL_NOTE,
    source: { kind: "replay", recipe: "soil", shiftDays: 10 },
    fwversion: "1.9.0",
    north: -55,
    east: -40,
  }),
  placed(NONSAN, {
    serial: 24110107,
    deviceType: "SSH",
    name: "1동 토양 복합",
    description: "실측 수분·지온·EC 재생 · pH와 질소·인산·칼리, 배터리 합성",
    source: { kind: "replay", recipe: "soilEc", shiftDays: 0 },
    north: 45,
    east: -70,
  }),
  placed(NONSAN, {
    serial: 24110108,
    deviceType: "SSH",
    name: "4동 토양 복합 (공극수 EC)",
    description: "실측 공극수 EC 재생, 마르면 NaN · pH와 질소·인산·칼리, 배터리 합성",
    source: { kind: "replay", recipe: "poreWaterEc", shiftDays: 12 },
    north: 45,
    east: 70,
  }),
  placed(NONSAN, {
    serial: 24110109,
    deviceType: "AT",
    name: "1동 온실환경",
    description: "실측 온실환경 재생 · 일사는 PAR에서 환산",
    source: { kind: "replay", recipe: "greenhouseAir", shiftDays: 0 },
    widget: true,
    fwversion: "3.0.2",
    north: 52,
    east: -58,
  }),
  placed(NONSAN, {
    serial: 24110110,
    deviceType: "CO2",
    name: "2동 이산화탄소",
    description: "실측 CO₂ 재생 · 일사는 PAR에서 환산",
    source: { kind: "replay", recipe: "carbonDioxide", shiftDays: 5 },
    north: 52,
    east: -18,
  }),
  placed(NONSAN, {
    serial: 24110111,
    deviceType: "LAT",
    name: "3동 더위 스트레스",
    description: "실측 온습도 재생 · 지수는 계산(THI), 배터리 합성",
    source: { kind: "replay", recipe: "heatStress", shiftDays: 0 },
    north: 52,
    east: 22,
  }),
  placed(NONSAN, {
    serial: 24110112,
    deviceType: "NUTRIENT",
    name: "양액 탱크",
    description: "실측 용존산소·수온 재생 · pH와 EC 합성",
    source: { kind: "replay", recipe: "nutrient", shiftDays: 0 },
    widget: true,
    north: -10,
    east: 35,
  }),
  placed(NONSAN, {
    serial: 24110113,
    deviceType: "DRAINAGE",
    name: "3동 배액 (합성)",
    description: "실측 없음, 모두 합성",
    source: { kind: "synthetic" },
    north: 30,
    east: 24,
  }),
  placed(NONSAN, {
    serial: 24110114,
    deviceType: "WATERFLOW",
    name: "관정 유량계",
    description: "실측 물 사용 기록 재생",
    source: { kind: "flow" },
    widget: true,
    north: -20,
    east: 45,
  }),
  placed(NONSAN, {
    serial: 24110115,
    deviceType: "FMS",
    name: "노지 앞밭 환경",
    description: "실측 온도·수분·광·기압·EC 재생 · 가속도, 자이로, 고도, 배터리 합성",
    source: { kind: "replay", recipe: "field", shiftDays: 8 },
    north: -60,
    east: -45,
  }),
  placed(NONSAN, {
    serial: 24110116,
    deviceType: "FMS02",
    name: "노지 텃밭 환경 (합성)",
    description: "실측 없음, 모두 합성",
    source: { kind: "synthetic" },
    north: -85,
    east: 10,
  }),
  placed(NONSAN, {
    serial: 24110117,
    deviceType: "COMPOST",
    name: "퇴비장 (합성)",
    description: "실측 없음, 모두 합성",
    source: { kind: "synthetic" },
    crops: "",
    north: -95,
    east: 60,
  }),
  placed(NONSAN, {
    serial: 24110118,
    deviceType: "COT",
    name: "육묘장 밸브함 (합성)",
    description: "가상 밸브 2개 · 수분 합성",
    source: { kind: "valves" },
    chNums: 2,
    north: -58,
    east: -35,
  }),
];

const NONSAN_CONTROLLERS: readonly DemoController[] = [
  {
    id: demoId(24110901),
    serial: 24110901,
    owner: "farmer",
    farm: "nonsan",
    name: "하우스 관수 제어기",
    description: "가상 4채널 밸브 제어기 · 1~4동",
    type: "CON04V",
    fwversion: "4.1.0",
    channels: [
      { channelNumber: 1, sensorSerials: [24110101, 24110102] },
      { channelNumber: 2, sensorSerials: [24110103] },
      {
        channelNumber: 3,
        sensorSerials: [24110104],
        watering: { mode: "reservation", onTime: "06:00", wateringDuration: 10, repeat: true },
      },
      {
        channelNumber: 4,
        sensorSerials: [24110105],
        watering: { mode: "automatic", lowerBound: 30, upperBound: 34, wateringDuration: 6 },
        soak: SAND_SOAK,
      },
    ],
  },
];

const ICHEON = { owner: "farmer", farm: "icheon", crops: "벼", latitude: 37.2316, longitude: 127.4873 };

const ICHEON_DEVICES: readonly DemoDevice[] = [
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

const ICHEON_CONTROLLERS: readonly DemoController[] = [
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

const BUYEO = {
  owner: "neighbor",
  farm: "buyeo",
  crops: "대추방울토마토",
  latitude: 36.2781,
  longitude: 126.8702,
};

const NEIGHBOR_DEVICES: readonly DemoDevice[] = [
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

const NEIGHBOR_CONTROLLERS: readonly DemoController[] = [
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

/** Password of every demo account; shown at start-up, and refused outside the demo. */
export const DEMO_PASSWORD = "mulkko2026!";

const TIMEZONE = "Asia/Seoul";

export const DEMO_ACCOUNTS: readonly DemoAccount[] = [
  {
    id: "d0e50000-0000-4000-8000-000000000001",
    username: "farmer",
    nickname: "김선우",
    userType: "USER",
    userAddress: "farmer@example.com",
    farmAddress: "논산 햇살딸기농원",
    phone: "010-0000-0001",
    timezone: TIMEZONE,
    language: "KO",
  },
  {
    id: "d0e50000-0000-4000-8000-000000000002",
    username: "neighbor",
    nickname: "박하늘",
    userType: "USER",
    userAddress: "neighbor@example.com",
    farmAddress: "부여 하늘토마토농장",
    phone: "010-0000-0002",
    timezone: TIMEZONE,
    language: "KO",
  },
  {
    id: "d0e50000-0000-4000-8000-000000000003",
    username: "admin",
    nickname: "관리자",
    userType: "ADMIN",
    userAddress: "admin@example.com",
    farmAddress: "",
    phone: "",
    timezone: TIMEZONE,
    language: "KO",
  },
];

export const DEMO_FARMS: readonly DemoFarm[] = [
  {
    key: "nonsan",
    owner: "farmer",
    name: "논산 햇살딸기농원",
    description: "설향 딸기 하우스 4동과 육묘장",
  },
  { key: "icheon", owner: "farmer", name: "이천 물꼬논", description: "벼 2,400평, 논물 자동 물꼬" },
  { key: "buyeo", owner: "neighbor", name: "부여 하늘토마토농장", description: "대추방울토마토 하우스 2동" },
];

export const DEMO_DEVICES: readonly DemoDevice[] = [
  ...NONSAN_DEVICES,
  ...ICHEON_DEVICES,
  ...NEIGHBOR_DEVICES,
];

export const DEMO_CONTROLLERS: readonly DemoController[] = [
  ...NONSAN_CONTROLLERS,
  ...ICHEON_CONTROLLERS,
  ...NEIGHBOR_CONTROLLERS,
];
