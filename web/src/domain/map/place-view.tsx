import { LocateIcon } from "lucide-react";
import type { Map as MapInstance, MapTouchEvent } from "maplibre-gl";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  AttributionControl,
  Map as MapGl,
  type MapRef,
  Marker,
  NavigationControl,
  ScaleControl,
} from "react-map-gl/maplibre";
import { aimOf } from "./aim.ts";
import { DeckOverlay } from "./deck-overlay.tsx";
import { MapNote } from "./map-note.tsx";
import { useMapWords } from "./map-words.ts";
import { mapLibrary } from "./maplibre.ts";
import { placeOf, roundedPlace, ZOOM } from "./place.ts";
import type { PlacedGround, PlacePickerProps } from "./place-picker-props.ts";
import { useMapStyle } from "./use-map-style.ts";
import "./place-view.css";

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
const BARE: PlacedGround = { markers: [], outlines: [] };
const ignore = () => undefined;

/** Choose a place on a small map by its cross or the pointer. */
export default function PlaceView({
  latitude,
  longitude,
  onPlace,
  ground = BARE,
  farmId = null,
  styleUrl = null,
  onFallback,
}: Omit<PlacePickerProps, "height">) {
  const { t } = useTranslation(["maps", "common"]);
  const { style, fellBack } = useMapStyle(styleUrl);
  const locale = useMapWords();
  const map = useRef<MapRef>(null);
  const rest = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null);
  const [failed, setFailed] = useState(false);
  const [unlocated, setUnlocated] = useState(false);
  const place = placeOf({ latitude, longitude });
  const at = place === null ? null : `${place.latitude},${place.longitude}`;

  // Follow typed coordinates; a place chosen here is in view already.
  useEffect(() => {
    const shown = map.current?.getMap();
    if (!shown || at === null) return;
    const [north = 0, east = 0] = at.split(",").map(Number);
    if (!shown.getBounds().contains([east, north])) shown.jumpTo({ center: [east, north] });
  }, [at]);
  // Move to the chosen farm, or to one that loads later, while no place is typed.
  const latest = useRef(ground);
  useEffect(() => {
    latest.current = ground;
  });
  const chosenGround = ground.outlines.find(({ id }) => id === farmId) ?? ground.outlines[0];
  const aimed = at === null ? `${farmId} ${chosenGround?.id}` : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another ground is another aim
  useEffect(() => {
    const shown = map.current?.getMap();
    if (!shown || aimed === null) return;
    const aim = aimOf(null, latest.current, farmId);
    if (aim.kind === "bounds") shown.fitBounds(aim.bounds, { ...FIT, duration: 0 });
    else shown.jumpTo({ center: [aim.at.longitude, aim.at.latitude], zoom: aim.zoom });
  }, [aimed]);
  useEffect(() => {
    if (fellBack) onFallback?.();
  }, [fellBack, onFallback]);
  useEffect(() => () => clearTimeout(rest.current?.timer), []);

  if (failed) return <MapNote>{t("common:map.failed")}</MapNote>;
  if (style === null) return <MapNote>{t("common:map.loading")}</MapNote>;

  const first = aimOf(place, ground, farmId);
  const choose = (north: number, east: number) => onPlace(roundedPlace(north, east));
  const chooseMiddle = (shown: MapInstance) => {
    const { lat, lng } = shown.getCenter();
    choose(lat, lng);
  };
  const press = (event: KeyboardEvent) => {
    const shown = map.current?.getMap();
    const arrow = ARROWS[event.key];
    if (!shown || event.ctrlKey || event.metaKey || event.altKey) return;
    if (arrow) {
      const step = event.shiftKey ? LEAP_PX : STEP_PX;
      shown.panBy([arrow[0] * step, arrow[1] * step], { duration: 0 });
    } else if (event.key === "+" || event.key === "=") shown.zoomIn({ duration: 0 });
    else if (event.key === "-") shown.zoomOut({ duration: 0 });
    else if (event.key === "Enter" || event.key === " ") chooseMiddle(shown);
    else return;
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
        <MapGl
          ref={map}
          mapLib={mapLibrary}
          mapStyle={style}
          locale={locale}
          initialViewState={
            first.kind === "bounds"
              ? { bounds: first.bounds, fitBoundsOptions: FIT }
              : { latitude: first.at.latitude, longitude: first.at.longitude, zoom: first.zoom }
          }
          minZoom={2}
          maxZoom={19}
          keyboard={false}
          dragRotate={false}
          touchPitch={false}
          pitchWithRotate={false}
          attributionControl={false}
          onLoad={({ target }) => {
            target.touchZoomRotate.disableRotation();
            target.getCanvas().tabIndex = -1;
          }}
          onError={({ error }) => {
            if (map.current === null) setFailed(true);
            reportError(error);
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
          <NavigationControl position="top-right" showCompass={false} />
          <ScaleControl position="bottom-left" />
          <AttributionControl position="bottom-left" compact />
          <DeckOverlay
            markers={ground.markers}
            outlines={ground.outlines}
            picked={null}
            scale={1}
            onStage={ignore}
          />
          {place && (
            <Marker latitude={place.latitude} longitude={place.longitude} anchor="bottom">
              <svg className="place-view__pin" viewBox="0 0 24 32" width="30" height="40" aria-hidden>
                <path d="M12 31C5 21 1.5 16 1.5 11.5a10.5 10.5 0 0 1 21 0C22.5 16 19 21 12 31Z" />
                <circle cx="12" cy="11.5" r="4" />
              </svg>
            </Marker>
          )}
        </MapGl>
        <span className="place-view__cross" aria-hidden />
      </div>
      <span id="place-view-hint" className="visually-hidden">
        {t("picker.keys")}
      </span>
      {isSecureContext && (
        <button
          type="button"
          className="place-view__locate"
          title={t("picker.locate")}
          aria-label={t("picker.locate")}
          onClick={locate}
        >
          <LocateIcon size={20} />
        </button>
      )}
      {unlocated && (
        <p className="place-view__unlocated" role="status">
          {t("picker.unlocated")}
        </p>
      )}
    </div>
  );
}
