import type { Map as MapInstance, MapTouchEvent } from "maplibre-gl";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import {
  AttributionControl,
  Map as MapGl,
  type MapRef,
  Marker,
  NavigationControl,
  ScaleControl,
} from "react-map-gl/maplibre";
import { useTranslation } from "../../i18n/use-translation.ts";
import { LocateIcon } from "../icon/icons.tsx";
import { MapNote } from "./map-note.tsx";
import { useMapWords } from "./map-words.ts";
import { mapLibrary } from "./maplibre.ts";
import { DEFAULT_PLACE, type Place, placeOf, roundedPlace, ZOOM } from "./place.ts";
import { OTHERS_SHOWN, type PlacePickerProps } from "./place-picker-props.ts";
import { useMapStyle } from "./use-map-style.ts";
import "./place-view.css";

/** A finger that rests so long on one point chooses it. */
const LONG_PRESS_MS = 500;
/** How far a resting finger may tremble, CSS px. */
const TREMBLE_PX = 8;
/** How far an arrow key moves the map under the cross, CSS px; with Shift the second. */
const STEP_PX = 10;
const LEAP_PX = 50;
/** As the specification asks where somebody is: exactly, within 10 s, a day-old answer is good. */
const WHERE: PositionOptions = { enableHighAccuracy: true, timeout: 10_000, maximumAge: 86_400_000 };

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Where the map begins: at the place, else among what is placed already, else where the specification says. */
function firstView(place: Place | null, [other]: readonly Place[]) {
  if (place) return { ...place, zoom: ZOOM.focus };
  return other ? { ...other, zoom: ZOOM.focus } : { ...DEFAULT_PLACE, zoom: ZOOM.form };
}

/** A small map whose cross, or pointer, chooses a place. */
export default function PlaceView({
  latitude,
  longitude,
  onPlace,
  others = [],
  styleUrl = null,
}: Omit<PlacePickerProps, "height">) {
  const { t } = useTranslation(["maps", "common"]);
  const { style } = useMapStyle(styleUrl);
  const locale = useMapWords();
  const map = useRef<MapRef>(null);
  const rest = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null);
  const [failed, setFailed] = useState(false);
  const [unlocated, setUnlocated] = useState(false);
  const place = placeOf({ latitude, longitude });
  const at = place === null ? null : `${place.latitude},${place.longitude}`;

  // Follows what is typed; what was chosen here stands in view already.
  useEffect(() => {
    const shown = map.current?.getMap();
    if (!shown || at === null) return;
    const [north = 0, east = 0] = at.split(",").map(Number);
    if (!shown.getBounds().contains([east, north])) shown.jumpTo({ center: [east, north] });
  }, [at]);
  useEffect(() => () => clearTimeout(rest.current?.timer), []);

  if (failed) return <MapNote>{t("common:map.failed")}</MapNote>;
  if (style === null) return <MapNote>{t("common:map.loading")}</MapNote>;

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
          initialViewState={firstView(place, others)}
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
          {others.slice(0, OTHERS_SHOWN).map((other) => (
            <Marker key={`${other.latitude} ${other.longitude}`} {...other}>
              <span className="place-view__other" aria-hidden />
            </Marker>
          ))}
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
        <button type="button" className="place-view__locate" aria-label={t("picker.locate")} onClick={locate}>
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
