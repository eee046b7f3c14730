import * as library from "maplibre-gl";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url";
import "maplibre-gl/dist/maplibre-gl.css";
import "./maplibre.css";

// The worker is a file of its own: the content security policy knows no other.
library.setWorkerUrl(workerUrl);

/** The library as react-map-gl takes it: from this chunk, so that it does not ask for it by itself. */
export const mapLibrary = library;
