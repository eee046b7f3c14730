import { readFile } from "node:fs/promises";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "slices");

/** Read a slice of a real recording; see slices/README.md. */
export const readSlice = (name: "greenhouse" | "stream" | "watering-events"): Promise<Buffer> =>
  readFile(join(FOLDER, `${name}.csv`));

const WEATHER = "Weather solutions station Pantar Tuinderij -";
const SOIL = "Sensor 0013A20041A24464 -";

/** The soil sensor and the weather station of the greenhouse. */
export const GREENHOUSE = {
  time: { columns: [1], format: "YYYY-MM-DD HH:mm:ss", zone: "Europe/Amsterdam" },
  ignore: { startingWith: ["Link to dashboard"] },
  sensors: [
    {
      serial: 100001,
      fields: {
        soilTemperature: { column: `${SOIL} Temp (°C) - averages`, unit: "°C" },
        moisture: { column: `${SOIL} VWC (%) - averages` },
      },
    },
    {
      serial: 100002,
      fields: {
        pressure: { column: `${WEATHER} Air pressure (hPa) - averages`, unit: "hPa" },
        rain: { column: `${WEATHER} Rain (mm) - averages`, unit: "mm" },
        humidity: { column: `${WEATHER} Relative humidity (%) - averages` },
        temperature: { column: `${WEATHER} Temperature (°C) - averages` },
        windD: { column: `${WEATHER} Wind direction () - averages` },
        windS: { column: `${WEATHER} Wind speed (m/s) - averages`, unit: "m/s" },
      },
    },
  ],
} as const;

/** Mapping of the stream's probe to a nutrient solution station; times are MST all year. */
export const streamMapping = (serial: number, zone = "-07:00", missing: readonly number[] = [-9999]) => ({
  time: { columns: ["datetime"], format: "YYYY-MM-DD HH:mm", zone },
  missing,
  sensors: [
    {
      serial,
      fields: {
        temperature: { column: "temp", unit: "°C" },
        ec: { column: "cond", unit: "µS/cm" },
        ph: { column: "ph" },
        gdo: { column: "do" },
      },
    },
  ],
});

/** Mapping of the water uses to a flow meter; gallons per minute. */
export const wateringMapping = (serial: number) => ({
  time: { columns: ["StartTime"], format: "YYYY-MM-DD HH:mm:ss", zone: "America/Denver" },
  sensors: [{ serial, fields: { speed: { column: "Flowrate(gpm)", scale: 3.785412 } } }],
});
