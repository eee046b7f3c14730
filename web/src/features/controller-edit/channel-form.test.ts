import { describe, expect, it } from "vitest";
import {
  addedChannels,
  areAllChosen,
  changedChannels,
  changedNames,
  channelFields,
  chosenChannels,
  isFull,
  mergeSensors,
  nameFields,
  toggleAll,
  toggleChannel,
} from "./channel-form.ts";

const SERVER = channelFields([
  { number: 3, sensorIds: ["a"] },
  { number: 1, sensorIds: [] },
]);

describe("the channels of a controller's form", () => {
  it("[controller-edit] the server's channels are chosen, ascending, with their sensors", () => {
    expect(chosenChannels(SERVER)).toEqual([1, 3]);
    expect(SERVER.ch3).toEqual(["a"]);
    expect(SERVER.ch2).toBeNull();
  });

  it("[controller-edit] a number that no channel has is left alone", () => {
    expect(chosenChannels(channelFields([{ number: 9, sensorIds: [] }]))).toEqual([]);
  });

  it("[controller-edit] a channel is chosen and taken out again; the server's own cannot be", () => {
    const with5 = toggleChannel(SERVER, SERVER, 5);
    expect(chosenChannels(with5)).toEqual([1, 3, 5]);
    expect(toggleChannel(with5, SERVER, 5)).toEqual(SERVER);
    expect(toggleChannel(with5, SERVER, 3)).toEqual(with5);
  });

  it("[controller-edit] all chooses 1 to 8 and keeps what was chosen; once more goes back to the server's", () => {
    const own = { ...SERVER, ch3: ["a", "b"], ch5: ["c"] };
    const all = toggleAll(own, SERVER);
    expect(areAllChosen(all)).toBe(true);
    expect([all.ch1, all.ch3, all.ch5, all.ch8]).toEqual([[], ["a", "b"], ["c"], []]);
    expect(toggleAll(all, SERVER)).toEqual(SERVER);
  });

  it("[controller-edit] adding merges without duplicates, three at most", () => {
    expect(mergeSensors(["a", "b"], ["b", "c"])).toEqual(["a", "b", "c"]);
    expect(mergeSensors(["a", "b", "c"], ["d"])).toEqual(["a", "b", "c"]);
    expect([isFull(["a", "b"]), isFull(["a", "b", "c"])]).toEqual([false, true]);
  });

  it("[controller-edit] what the server has beyond three is kept: nobody loses a sensor by looking", () => {
    expect(mergeSensors(["a", "b", "c", "d"], ["e"])).toEqual(["a", "b", "c", "d"]);
  });

  it("[controller-edit] a change sends each chosen channel, also one that is empty", () => {
    expect(changedChannels(SERVER)).toEqual([
      { channelNumber: 1, sensorIds: [] },
      { channelNumber: 3, sensorIds: ["a"] },
    ]);
  });

  it("[controller-add] channels are sent only when sensors were chosen", () => {
    expect(addedChannels(channelFields([{ number: 1, sensorIds: [] }]))).toBeUndefined();
    expect(addedChannels(channelFields([]))).toBeUndefined();
    expect(addedChannels(SERVER)).toHaveLength(2);
  });

  it("[NAME-1] sends the names that are others than before, and null for one that was emptied", () => {
    const channels = [
      { number: 1, name: "Tomatoes" },
      { number: 2, name: null },
      { number: 3, name: "Path" },
      { number: 9, name: null },
    ];
    const before = nameFields(channels);
    const values = { ...before, name1: " Tomatoes ", name2: " Peppers", name3: "  " };
    const changed = changedNames(channels, before, values);
    expect(changed.map(({ channel, name }) => [channel.number, name])).toEqual([
      [2, "Peppers"],
      [3, null],
    ]);
  });
});
