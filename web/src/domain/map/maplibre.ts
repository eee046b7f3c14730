import * as library from "maplibre-gl";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url";
import "maplibre-gl/dist/maplibre-gl.css";
import "./maplibre.css";

// The worker is a separate file: the content security policy allows no other kind.
library.setWorkerUrl(workerUrl);

/** Library instance for react-map-gl: from this chunk, so that it loads no other. */
export const mapLibrary = library;
