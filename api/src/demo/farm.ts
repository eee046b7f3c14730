import type { DemoAccount, DemoController, DemoDevice, DemoFarm } from "./device.ts";
import { NEIGHBOR_CONTROLLERS, NEIGHBOR_DEVICES } from "./farm-buyeo.ts";
import { ICHEON_CONTROLLERS, ICHEON_DEVICES } from "./farm-icheon.ts";
import { NONSAN_CONTROLLERS, NONSAN_DEVICES } from "./farm-nonsan.ts";

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
