import { Card } from "../ui/layout/card.tsx";
import { useColorMode } from "../ui/theme/color-mode.ts";
import { PALETTE } from "../ui/theme/palette.ts";

/** Show the colours by name. */
export function PaletteSection() {
  const { dark } = useColorMode();
  return (
    <Card title="Palette">
      <div className="gallery__grid" style={{ gridTemplateColumns: "repeat(auto-fill, minmax(8rem, 1fr))" }}>
        {Object.entries(PALETTE).map(([name, pair]) => (
          <div key={name} className="gallery__swatch">
            <span style={{ background: dark ? pair.dark : pair.light }} />
            {name}
          </div>
        ))}
      </div>
    </Card>
  );
}
