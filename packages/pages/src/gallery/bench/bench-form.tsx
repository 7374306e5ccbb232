import type { ReactNode } from "react";

import type { Theme } from "../theme.ts";

interface FormProps {
  readonly theme: Theme;
  readonly languages: readonly string[];
  /** Address of the bench. */
  readonly root: string;
  readonly renderer: string | undefined;
}

const languageNames = new Intl.DisplayNames("en", { type: "language" });

/** The look of the pages as fields. Without scripts it is sent by its button. */
export function BenchForm({ theme, languages, root, renderer }: FormProps) {
  const { entered, faults, accent } = theme;
  const named = languages.map((tag) => [tag, languageNames.of(tag) ?? tag] as const);
  return (
    <form className="bench" action={root} autoComplete="off" data-renderer={renderer}>
      <Field name="Name">
        <input name="name" defaultValue={entered.name} />
      </Field>
      <div className="accent">
        <Field name="Accent, or light and dark">
          <input name="accent" defaultValue={entered.accent} spellCheck={false} />
        </Field>
        <input
          className="scripted"
          type="color"
          aria-label="Pick the accent"
          defaultValue={accent[0]}
        />
      </div>
      <Field name="Radius in pixels">
        <input name="radius" inputMode="decimal" defaultValue={entered.radius} />
      </Field>
      <Field name="Address of the logo">
        <input name="logo" defaultValue={entered.logo} placeholder="/logo.svg" />
      </Field>
      <Choice
        name="Language"
        field="lang"
        value={entered.lang}
        options={[["", "Default"], ...named]}
      />
      <Choice name="Scheme" field="scheme" value={entered.scheme} options={schemes} />
      <p className="actions">
        {renderer === undefined && <button className="button unscripted">Show</button>}
        <a className="button quiet" href={root}>
          Start again
        </a>
      </p>
      {renderer !== undefined && (
        <p className="notice warn unscripted">
          This page needs scripts to change the look of the screens.
        </p>
      )}
      <div id="bench-faults" role="alert">
        {faults.map((fault) => (
          <p key={fault} className="notice warn">
            {fault}
          </p>
        ))}
      </div>
    </form>
  );
}

const schemes = [
  ["", "System"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const;

function Field({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <label>
      {name}
      {children}
    </label>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly field: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
}

function Choice({ name, field, value, options }: ChoiceProps) {
  return (
    <Field name={name}>
      <select name={field} defaultValue={value}>
        {options.map(([each, label]) => (
          <option key={each} value={each}>
            {label}
          </option>
        ))}
      </select>
    </Field>
  );
}
