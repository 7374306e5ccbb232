import { pairText, type Theme } from "../theme.ts";

/** The theme as settings of the package, and as variables of the web application. */
export function ThemeSettings({ theme }: { readonly theme: Theme }) {
  return (
    <section id="bench-settings" aria-label="Settings">
      <h2>Settings</h2>
      <Copied about="for your app" text={packageSettings(theme)} />
      <Copied about="for the web application" text={variables(theme)} />
    </section>
  );
}

function Copied({ about, text }: { readonly about: string; readonly text: string }) {
  return (
    <div>
      <pre className="whole">{text}</pre>
      <button
        type="button"
        className="button quiet copy scripted"
        data-copy={text}
        data-copied="Copied"
        data-failed="Press Ctrl+C"
      >
        <span className="label">Copy settings {about}</span>
        <span className="done" aria-hidden="true">
          Copied
        </span>
      </button>
    </div>
  );
}

/** The expression for `createAuth`. */
function packageSettings({ settings, accent }: Theme): string {
  const { name, radius, logo } = settings;
  const [light, dark] = accent;
  const given = { name, accent: light === dark ? light : accent, radius, logo };
  const lines = Object.entries(given).flatMap(([key, value]) =>
    value === undefined ? [] : [`  ${key}: ${inCode(value)},\n`],
  );
  return `pages({\n${lines.join("")}})`;
}

function inCode(value: string | number | readonly string[]): string {
  return typeof value === "object" ? `[${value.map(inCode).join(", ")}]` : JSON.stringify(value);
}

/** The web application reads its logo from a file, and corrects no accent. */
function variables({ settings, brand: { colors } }: Theme): string {
  const lines = [
    `LATCHKEY_APP_NAME=${quote(settings.name)}`,
    ...(colors.accent === undefined
      ? []
      : [`LATCHKEY_COLOR_ACCENT=${quote(pairText(colors.accent))}`]),
    ...(colors["on-accent"] === undefined
      ? []
      : [`LATCHKEY_COLOR_ON_ACCENT=${quote(pairText(colors["on-accent"]))}`]),
    `LATCHKEY_RADIUS=${settings.radius}`,
  ];
  return lines.join("\n");
}

/** For shells, which read nothing within single quotes. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
