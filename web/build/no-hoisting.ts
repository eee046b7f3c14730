/**
 * Stands in for `hoist-non-react-statics` in browsers: Emotion uses it for `withTheme` alone, which Chakra does
 * not use.
 */
export default (): never => {
  throw new Error("Emotion's withTheme is not in the client: see vite.config.ts");
};
