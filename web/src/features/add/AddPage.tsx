import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { PageHeading } from "../../components/page-heading.tsx";
import { useTranslation } from "../../i18n/use-translation.ts";
import { AddFarm, AddSensor, AddValves, RemoveFarm } from "./add-drawings.tsx";
import "./add.css";

/** Menu of things to add, and the deletion of a farm. */
export function AddPage() {
  const { t } = useTranslation("add");
  const tiles: readonly (readonly [string, "farm" | "sensor" | "controller" | "removeFarm", ReactNode])[] = [
    ["/farmadd", "farm", <AddFarm key="farm" />],
    ["/listadd", "sensor", <AddSensor key="sensor" />],
    ["/cotadd", "controller", <AddValves key="controller" />],
    ["/farmdelete", "removeFarm", <RemoveFarm key="remove" />],
  ];
  return (
    <div className="add">
      <PageHeading title={t("title")} />
      <ul className="add__tiles">
        {tiles.map(([to, name, drawing]) => (
          <li key={to}>
            <Link className="add__tile" to={to}>
              <span className="add__drawing">{drawing}</span>
              <strong>{t(`tile.${name}`)}</strong>
              <span className="add__note">{t(`note.${name}`)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
