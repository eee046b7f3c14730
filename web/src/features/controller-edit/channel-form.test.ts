import { describe, expect, it } from "vitest";
import {
  addedChannels,
  changedChannels,
  changedNames,
  channelFields,
  channelsOfType,
  chosenChannels,
  isFull,
  mergeSensors,
  offeredChannels,
} from "./controller-form.ts";

const SERVER = channelFields([
  { number: 3, sensorIds: ["a"] },
  { number: 1, sensorIds: [] },
]);

describe("channel fields of a controller form", () => {
  it("[controller-edit] select the server's channels in ascending order with their sensors", () => {
    expect(chosenChannels(SERVER)).toEqual([1, 3]);
    expect(SERVER.ch3).toEqual(["a"]);
    expect(SERVER.ch2).toBeNull();
  });

  it("[controller-edit] ignore a number that no channel can have", () => {
    expect(chosenChannels(channelFields([{ number: 9, sensorIds: [] }]))).toEqual([]);
  });

  it("[controller-edit] merge added sensors without duplicates, at most three", () => {
    expect(mergeSensors(["a", "b"], ["b", "c"])).toEqual(["a", "b", "c"]);
    expect(mergeSensors(["a", "b", "c"], ["d"])).toEqual(["a", "b", "c"]);
    expect([isFull(["a", "b"]), isFull(["a", "b", "c"])]).toEqual([false, true]);
  });

  it("[controller-edit] keep more than three sensors of the server", () => {
    expect(mergeSensors(["a", "b", "c", "d"], ["e"])).toEqual(["a", "b", "c", "d"]);
  });

  it("[controller-edit] send each selected channel on a change, also an empty one", () => {
    expect(changedChannels(SERVER)).toEqual([
      { channelNumber: 1, sensorIds: [] },
      { channelNumber: 3, sensorIds: ["a"] },
    ]);
  });

  it("[controller-add] send channels to an API without extensions only if sensors were selected", () => {
    expect(addedChannels(channelFields([{ number: 1, sensorIds: [] }]), false)).toBeUndefined();
    expect(addedChannels(channelFields([]), false)).toBeUndefined();
    expect(addedChannels(SERVER, false)).toHaveLength(2);
  });

  it("[controller-add] send all selected channels, also without sensors, to an API that accepts them", () => {
    const four = channelsOfType(channelFields([]), "CON04V");
    expect(addedChannels(four, true)?.map(({ channelNumber }) => channelNumber)).toEqual([1, 2, 3, 4]);
    expect(addedChannels(channelFields([]), true)).toBeUndefined();
  });

  it.each([
    ["CON04V", [1, 2, 3, 4]],
    ["CON04E", [1, 2, 3, 4]],
    ["CON01W", [1]],
    ["SOMETHING", [1, 2, 3, 4, 5, 6, 7, 8]],
  ] as const)("[controller-add] a %s is offered its own channels, all chosen", (type, numbers) => {
    expect(offeredChannels(type)).toEqual(numbers);
    expect(chosenChannels(channelsOfType(channelFields([]), type))).toEqual(numbers);
  });

  it("[controller-add] keep the sensors of channels that another type also has", () => {
    const four = { ...channelsOfType(channelFields([]), "CON04V"), ch1: ["a"], ch4: ["b"] };
    const one = channelsOfType(four, "CON01W");
    expect([chosenChannels(one), one.ch1]).toEqual([[1], ["a"]]);
  });

  it("[NAME-1] send changed names, and null for an emptied one", () => {
    const channels = [
      { number: 1, name: "Tomatoes", sensorIds: [] },
      { number: 2, name: null, sensorIds: [] },
      { number: 3, name: "Path", sensorIds: [] },
      { number: 9, name: null, sensorIds: [] },
    ];
    const before = channelFields(channels);
    const values = { ...before, name1: " Tomatoes ", name2: " Peppers", name3: "  " };
    const changed = changedNames(channels, before, values);
    expect(changed.map(({ channel, name }) => [channel.number, name])).toEqual([
      [2, "Peppers"],
      [3, null],
    ]);
  });
});
