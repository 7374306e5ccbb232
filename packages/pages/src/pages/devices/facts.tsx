import { Children, type ReactNode } from "react";

/** Facts in a line. A dot stands between two of them, and at no end and no beginning of a line. */
export function Facts({ children }: { children: ReactNode }) {
  return Children.toArray(children).map((fact, place) => (
    <span key={place} className="fact">
      {place > 0 && <span className="between"> · </span>}
      {fact}
    </span>
  ));
}
