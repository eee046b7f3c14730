/// <reference types="vite/client" />

/** Name of the build; `dev` under the development server. */
declare const __BUILD_ID__: string;
