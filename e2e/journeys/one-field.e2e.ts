import { topic } from "@mulkko/shared/mqtt/topics";
import { sensorAdd } from "@mulkko/shared/rest/operations/sensors";
import { AddedSensor } from "@mulkko/shared/rest/sensor";
import { read, signIn } from "@mulkko/testing/stack/account";
import { openStage } from "@mulkko/testing/stack/stage";
import { visitors } from "@mulkko/testing/stack/visitor";
import { connectAsync } from "mqtt";
import { describe, expect, it } from "vitest";
import { signInOnPage } from "../pages/login.ts";

const HOUR = 3_600_000;
let serial = 25_100_000;

const stage = openStage();

describe.each(
  visitors(
    { viewport: "phone", locale: "ko-KR", colorScheme: "light" },
    { viewport: "desktop", locale: "en-US", colorScheme: "dark" },
  ),
)("a device that sends its battery alone, on a $viewport in $locale", (visitor) => {
  it("[SUB-8] leaves the other fields on the screen, drawn as late once they are an hour older", async () => {
    serial += 1;
    const { stack } = stage;
    const account = await signIn(stack.url, "farmer");
    const body = { name: "Battery alone", serial: `${serial}`, deviceType: "SMS", widget: true };
    const { id, deviceKey } = await read(await account.post(sensorAdd.path, body), AddedSensor);
    const device = await connectAsync(`mqtt://127.0.0.1:${stack.mqttPort}`, {
      username: `${serial}`,
      password: deviceKey,
    });
    const say = (message: object) =>
      device.publishAsync(topic.up(serial), JSON.stringify(message), { qos: 1 });
    const page = await stage.visit(visitor);
    const shown = (): Promise<(string | null)[][]> =>
      page
        .getByTestId("badges")
        .locator("[data-quality]")
        .evaluateAll((all) => all.map((one) => [one.textContent, one.getAttribute("data-quality")]));
    const value = (number: string, quality: string) => [expect.stringContaining(number), quality];

    await signInOnPage(page, stack.url, "farmer");
    await say({ at: new Date(Date.now() - 2 * HOUR).toISOString(), moisture: 44.4, soilTemperature: 11.1 });
    await page.goto(`${stack.url}/sensors/type?id=${encodeURIComponent(id)}`);
    await expect.poll(shown).toContainEqual([expect.stringContaining("44.4"), expect.anything()]);
    await say({ battery: 77 });
    await expect.poll(shown).toContainEqual(value("77", "fresh"));
    expect(await shown()).toContainEqual(value("44.4", "late"));
    // The farm API returns the same as the stream.
    const listed = JSON.stringify((await account.sensors()).find((sensor) => sensor.id === id)?.latestLog);
    expect(listed).toMatch(/"moisture":44.4.*"fieldTimes":\{[^}]*"moisture"/);
    await say({ moisture: 45.5 });
    await expect.poll(shown).toContainEqual(value("45.5", "fresh"));
    expect(await shown()).toContainEqual(value("77", "fresh"));
    expect(await shown()).toContainEqual(value("11.1", "late"));
    await page.context().close();
    await device.endAsync();
  });
});
