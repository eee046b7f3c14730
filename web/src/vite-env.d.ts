/// <reference types="vite/client" />

/** Names the build; `dev` under the development server. */
declare const __BUILD_ID__: string;
