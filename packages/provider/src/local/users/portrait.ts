import { html } from "../../http/html.ts";

const backgrounds = ["#0B6E5F", "#0B57D0", "#8A5200", "#7A2E8E", "#1B6E3C", "#9A3412", "#3F4C5A"];

/** The path of a person's picture. */
export function portraitPath({ sub }: { readonly sub: string }): string {
  return `/users/${encodeURIComponent(sub)}.svg`;
}

/** The first characters of the first and the last word of a name: "Ada Okafor" becomes "AO". */
function initials(name: string): string {
  const words = name.split(/\s+/u).filter((word) => word !== "");
  const first = firstOf(words[0]) ?? "?";
  const last = words.length > 1 ? (firstOf(words.at(-1)) ?? "") : "";
  // Arabic letters would join and change their shape.
  const between = /\p{Script=Arabic}/u.test(first + last) ? "\u200C" : "";
  return (first + between + last).toLocaleUpperCase();
}

function firstOf(word = ""): string | undefined {
  return Array.from(word)[0];
}

/** Draws initials on a color chosen by the name: an SVG of 96 by 96 pixels. */
export function portrait(name: string): string {
  const sum = new TextEncoder().encode(name).reduce((total, byte) => total + byte, 0);
  const background = backgrounds[sum % backgrounds.length] ?? "#3F4C5A";
  return String(
    html`<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 96 96">
      <rect width="96" height="96" fill="${background}" />
      <text
        x="48"
        y="49"
        fill="#FFFFFF"
        font-family="system-ui, sans-serif"
        font-size="38"
        font-weight="600"
        text-anchor="middle"
        dominant-baseline="central"
      >
        ${initials(name)}
      </text>
    </svg>`,
  );
}
