import * as icons from "../ui/icon/icons.tsx";
import { Card } from "../ui/layout/card.tsx";

/** Show the icons by name. */
export function IconSection() {
  return (
    <Card title="Icons">
      <div className="gallery__row">
        {Object.entries(icons).map(([name, Icon]) => (
          <span key={name} title={name} style={{ fontSize: "1.5rem" }}>
            <Icon />
          </span>
        ))}
      </div>
    </Card>
  );
}
