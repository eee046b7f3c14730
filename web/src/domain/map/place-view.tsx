import "./place-view.css";
import { Text } from "@chakra-ui/react";
import { LocateIcon } from "lucide-react";
import type { MapTouchEvent } from "maplibre-gl";
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type MapRef, Marker } from "react-map-gl/maplibre";
import { IconButton } from "../../components/icon-button.tsx";
import { aimOf } from "./aim.ts";
import { BaseMap, useMapGround } from "./base-map.tsx";
import { DeckOverlay } from "./deck-overlay.tsx";
import { MapNote } from "./map-frame.tsx";
import type { PlacedGround } from "./marker.tsx";
import type { MarkerRenderer } from "./marker-renderer.ts";
import { type Place, placeOf, roundedPlace, ZOOM } from "./place.ts";

/** Props of a small map that selects a place for a form. */
export interface PlacePickerProps {
  /** Typed degrees; null, NaN or 0 means not placed. */
  readonly latitude: number | null;
  readonly longitude: number | null;
  /**
   * Called for a place chosen on the map: right click, long press, Enter on the cross, or the user's
   * position.
   */
  readonly onPlace: (place: Place) => void;
  /** Drawn below; the initial view of an empty form. */
  readonly ground: PlacedGround;
  /** Farm of the device; null if none is chosen. */
  readonly farmId: string | null;
  /** Style of the installation's own map; null selects the embedded one. */
  readonly styleUrl: string | null;
  /** Called when the installation's style failed to load and the embedded one replaces it. */
  readonly onFallback: () => void;
}

/** Duration of a long press that chooses a point, ms. */
const LONG_PRESS_MS = 500;
/** Movement tolerance of a long press, CSS px. */
const TREMBLE_PX = 8;
/** Distance that an arrow key moves the map under the cross, CSS px; the second with Shift. */
const STEP_PX = 10;
const LEAP_PX = 50;
/** Geolocation options of the specification: exact, within 10 s, cached up to a day. */
const WHERE: PositionOptions = { enableHighAccuracy: true, timeout: 10_000, maximumAge: 86_400_000 };

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Padding around a farm's ground: its name is above it. */
const FIT = { padding: { top: 64, bottom: 24, left: 32, right: 32 }, maxZoom: 17 } as const;

/** Choose a place on a small map by its cross or the pointer. */
export default function PlaceView({
  latitude,
  longitude,
  onPlace,
  ground,
  farmId,
  styleUrl,
  onFallback,
}: PlacePickerProps) {
  const { t } = useTranslation(["maps", "common"]);
  const { style, note, fellBack, fail } = useMapGround(styleUrl);
  const map = useRef<MapRef>(null);
  const renderer = useRef<MarkerRenderer>(null);
  const rest = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null);
  const [unlocated, setUnlocated] = useState(false);
  const place = placeOf({ latitude, longitude });
  const [north, east] = [place?.latitude, place?.longitude];

  // Follow typed coordinates; a place chosen here is in view already.
  useEffect(() => {
    const shown = map.current?.getMap();
    if (!shown || north === undefined || east === undefined) return;
    if (!shown.getBounds().contains([east, north])) shown.jumpTo({ center: [east, north] });
  }, [north, east]);
  // Move to the chosen farm, or to one that loads later, while no place is typed.
  const aimNow = useEffectEvent(() => aimOf(null, ground, farmId));
  const chosenGround = ground.outlines.find(({ id }) => id === farmId) ?? ground.outlines[0];
  const aimed = place === null ? `${farmId} ${chosenGround?.id}` : null;
  useEffect(() => {
    const shown = map.current?.getMap();
    if (!shown || aimed === null) return;
    const aim = aimNow();
    if (aim.kind === "bounds") shown.fitBounds(aim.bounds, { ...FIT, duration: 0 });
    else shown.jumpTo({ center: [aim.at.longitude, aim.at.latitude], zoom: aim.zoom });
  }, [aimed]);
  useEffect(() => {
    if (fellBack) onFallback();
  }, [fellBack, onFallback]);
  useEffect(() => () => clearTimeout(rest.current?.timer), []);

  if (style === null) return note;

  const first = aimOf(place, ground, farmId);
  const choose = (north: number, east: number) => onPlace(roundedPlace(north, east));
  const press = (event: KeyboardEvent) => {
    const shown = map.current?.getMap();
    const arrow = ARROWS[event.key];
    if (!shown || event.ctrlKey || event.metaKey || event.altKey) return;
    if (arrow) {
      const step = event.shiftKey ? LEAP_PX : STEP_PX;
      shown.panBy([arrow[0] * step, arrow[1] * step], { duration: 0 });
    } else if (event.key === "+" || event.key === "=") shown.zoomIn({ duration: 0 });
    else if (event.key === "-") shown.zoomOut({ duration: 0 });
    else if (event.key === "Enter" || event.key === " ") {
      const { lat, lng } = shown.getCenter();
      choose(lat, lng);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const lift = () => {
    clearTimeout(rest.current?.timer);
    rest.current = null;
  };
  const touch = ({ points, point, lngLat }: MapTouchEvent) => {
    lift();
    if (points.length !== 1) return;
    const { lat, lng } = lngLat;
    const timer = setTimeout(() => choose(lat, lng), LONG_PRESS_MS);
    rest.current = { timer, x: point.x, y: point.y };
  };
  const locate = () => {
    setUnlocated(false);
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        choose(coords.latitude, coords.longitude);
        map.current?.getMap().jumpTo({ center: [coords.longitude, coords.latitude], zoom: ZOOM.focus });
      },
      () => setUnlocated(true),
      WHERE,
    );
  };
  return (
    <div className="place-view">
      {fellBack && <MapNote quiet>{t("common:map.styleFailed")}</MapNote>}
      <div
        className="place-view__map"
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the map is moved and set with the keyboard
        tabIndex={0}
        aria-label={t("picker.label")}
        aria-describedby="place-view-hint"
        onKeyDown={press}
      >
        <BaseMap
          map={map}
          mapStyle={style}
          onFail={fail}
          initialViewState={
            first.kind === "bounds"
              ? { bounds: first.bounds, fitBoundsOptions: FIT }
              : { latitude: first.at.latitude, longitude: first.at.longitude, zoom: first.zoom }
          }
          keyboard={false}
          onLoad={({ target }) => {
            target.getCanvas().tabIndex = -1;
          }}
          onContextMenu={({ lngLat, originalEvent }) => {
            originalEvent.preventDefault();
            lift();
            choose(lngLat.lat, lngLat.lng);
          }}
          onTouchStart={touch}
          onTouchMove={({ point }) => {
            const { current } = rest;
            if (current && Math.hypot(point.x - current.x, point.y - current.y) > TREMBLE_PX) lift();
          }}
          onTouchEnd={lift}
          onTouchCancel={lift}
        >
          <DeckOverlay
            markers={ground.markers}
            outlines={ground.outlines}
            picked={null}
            scale={1}
            renderer={renderer}
          />
          {place && (
            <Marker latitude={place.latitude} longitude={place.longitude} anchor="bottom">
              <svg className="place-view__pin" viewBox="0 0 24 32" width="30" height="40" aria-hidden>
                <path d="M12 31C5 21 1.5 16 1.5 11.5a10.5 10.5 0 0 1 21 0C22.5 16 19 21 12 31Z" />
                <circle cx="12" cy="11.5" r="4" />
              </svg>
            </Marker>
          )}
        </BaseMap>
        <span className="place-view__cross" aria-hidden />
      </div>
      <span id="place-view-hint" className="visually-hidden">
        {t("picker.keys")}
      </span>
      {isSecureContext && (
        <IconButton
          label={t("picker.locate")}
          position="absolute"
          right="10px"
          bottom="10px"
          layerStyle="panel"
          borderColor="border.strong"
          onClick={locate}
        >
          <LocateIcon size={20} />
        </IconButton>
      )}
      {unlocated && (
        <Text
          position="absolute"
          inset="auto 4.5rem 10px 10px"
          px="3"
          py="2"
          layerStyle="panel"
          fontSize="caption"
          role="status"
        >
          {t("picker.unlocated")}
        </Text>
      )}
    </div>
  );
}
