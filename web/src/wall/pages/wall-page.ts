/** What a page gets: how often it has been on the screen, so that it can show another part of what does not fit. */
export interface WallPageProps {
  readonly lap: number;
}
