const files = import.meta.glob<object>("../i18n/locales/*/*.json", { eager: true, import: "default" });
const others = globalThis.fetch;

/** Answer for the files of translations, which no server serves in a test; everything else is passed on. */
globalThis.fetch = async (input, init) => {
  const file = typeof input === "string" ? /locales\/\w+\/\w+\.json$/.exec(input)?.[0] : undefined;
  return file ? Response.json(files[`../i18n/${file}`]) : others(input, init);
};
