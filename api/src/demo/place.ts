import type { DemoDevice } from "./device.ts";

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
export function demoId(serial: number): string {
  return `d0e50000-0000-4000-8000-${String(serial).padStart(12, "0")}`;
}

/** Place a device on a farm; the farm supplies missing properties. */
export function placed(place: Place, { north, east, ...device }: Particular): DemoDevice {
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
