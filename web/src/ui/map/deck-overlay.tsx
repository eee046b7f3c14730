import { MapLibreOverlay } from "@deck.gl/maplibre";
import type { Device } from "@luma.gl/core";
import { useEffect, useRef } from "react";
import { useControl, useMap } from "react-map-gl/maplibre";
import { useColorMode } from "../theme/color-mode.ts";
import { readMarkColors } from "./map-colors.ts";
import { createMarkStage, type MarkStage } from "./mark-stage.ts";
import type { MapMarker, MapOutline } from "./marker.ts";

interface DeckOverlayProps {
  readonly markers: readonly MapMarker[];
  readonly outlines: readonly MapOutline[];
  readonly picked: string | null;
  /** How many times larger than for a reader at a desk everything is drawn. */
  readonly scale: number;
  /** Hands out the stage while the map stands, null after it. */
  readonly onStage: (stage: MarkStage | null) => void;
}

/**
 * Frees what a map that is gone held of the graphics card, once everything that draws with it has ended. The overlay
 * leaves this to its maker; what nobody frees watches the screen's resolution for ever, and holds the whole map.
 */
function release(device: Device): void {
  setTimeout(() => {
    device.getDefaultCanvasContext().destroy();
    device.loseDevice();
  });
}

/** The layer of marks over a map: React says what there is, the stage draws it. */
export function DeckOverlay({ markers, outlines, picked, scale, onStage }: DeckOverlayProps) {
  const { current } = useMap();
  const { dark } = useColorMode();
  const stage = useRef<MarkStage | null>(null);
  const held = useRef<Device | null>(null);
  const stands = useRef(true);
  const overlay = useControl(
    () =>
      // Over the map, not within it: the interleaved mode disturbs MapLibre's own names.
      new MapLibreOverlay({
        interleaved: false,
        layers: [],
        onDeviceInitialized(device) {
          held.current = device;
          stage.current?.setDevice(device);
        },
        deviceProps: {
          // Told of every device as soon as it watches the screen: of one, too, that comes when the map is gone again,
          // of which nothing else is heard.
          onDevicePixelRatioChange({ device }) {
            if (stands.current) held.current = device;
            else release(device);
          },
        },
      }),
  );
  useEffect(() => {
    stands.current = true;
    return () => {
      stands.current = false;
      if (held.current) release(held.current);
      held.current = null;
    };
  }, []);
  const latest = useRef(onStage);
  useEffect(() => {
    latest.current = onStage;
  });
  useEffect(() => {
    const map = current?.getMap();
    if (!map) return;
    const created = createMarkStage(map, overlay, readMarkColors(map.getContainer()), scale);
    stage.current = created;
    latest.current(created);
    return () => {
      stage.current = null;
      latest.current(null);
      created.dispose();
    };
  }, [current, overlay, scale]);
  useEffect(() => stage.current?.setOutlines(outlines), [outlines]);
  useEffect(() => stage.current?.setPicked(picked), [picked]);
  useEffect(() => stage.current?.setMarkers(markers), [markers]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tokens on the page follow the colour mode
  useEffect(() => {
    const map = current?.getMap();
    if (map) stage.current?.setColors(readMarkColors(map.getContainer()));
  }, [dark, current]);
  return null;
}
