import { type PairContrast, pairContrasts } from "../../rendering/brand.ts";
import type { Theme } from "../theme.ts";

const colorNames: Readonly<Record<PairContrast["text" | "ground"], string>> = {
  accent: "Accent",
  "accent-soft": "soft accent",
  "on-accent": "Button text",
  bg: "background",
  surface: "surface",
  text: "Text",
  muted: "Muted text",
};

/** The contrast of every pair of colors, and the accent that replaces one without contrast. */
export function ContrastTable({ accent, brand: { colors } }: Pick<Theme, "accent" | "brand">) {
  const used = pairContrasts({ colors });
  const chosen = pairContrasts({ colors: { ...colors, accent } });
  const compared = chosen.map((pair, place) => ({ ...pair, used: used[place] ?? pair }));
  const rows = [...Map.groupBy(compared, nameOf)];
  return (
    <section id="bench-contrast" aria-label="Contrast">
      <h2>Contrast</h2>
      <Correction scheme="light" from={accent[0]} to={colors.accent?.[0]} />
      <Correction scheme="dark" from={accent[1]} to={colors.accent?.[1]} />
      <table>
        <caption>Text needs 4.5 (WCAG 2.2, 1.4.3)</caption>
        <thead>
          <tr>
            <th scope="col">Pair</th>
            <th scope="col">Light</th>
            <th scope="col">Dark</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, schemes]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {schemes.map((pair) => (
                <td key={pair.scheme}>
                  <Ratio {...pair} />
                  {pair.used.ratio !== pair.ratio && (
                    <>
                      , corrected: <Ratio {...pair.used} />
                    </>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function nameOf({ text, ground }: PairContrast): string {
  return `${colorNames[text]} on ${colorNames[ground].toLowerCase()}`;
}

function Ratio({ ratio, isReadable }: Pick<PairContrast, "ratio" | "isReadable">) {
  const shown = (Math.floor(ratio * 10) / 10).toFixed(1);
  const [look, verdict] = isReadable ? ["badge", "passes"] : ["badge warn", "fails"];
  return (
    <span className="ratio">
      {shown} <span className={look}>{verdict}</span>
    </span>
  );
}

interface CorrectionProps {
  readonly scheme: "light" | "dark";
  readonly from: string;
  readonly to: string | undefined;
}

function Correction({ scheme, from, to }: CorrectionProps) {
  if (to === undefined || to === from.toLowerCase()) return null;
  return (
    <p>
      <Swatch color={from} /> {from} is hard to read on {scheme} screens. The pages use{" "}
      <Swatch color={to} /> {to}.
    </p>
  );
}

/** A policy forbids attributes of style, but not those of drawings. */
function Swatch({ color }: { readonly color: string }) {
  return (
    <svg className="swatch" width="16" height="16" aria-hidden="true">
      <rect width="16" height="16" rx="3" fill={color} />
    </svg>
  );
}
