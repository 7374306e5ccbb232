import { renderToStaticMarkup } from "react-dom/server";

import { BenchForm } from "./bench/bench-form.tsx";
import { ContrastTable } from "./bench/contrast-table.tsx";
import { ThemeSettings } from "./bench/theme-settings.tsx";
import type { GalleryState } from "./gallery-state.ts";
import type { Theme } from "./theme.ts";

interface ShownState extends GalleryState {
  readonly address: string;
  /** The page, if it is part of this one. */
  readonly html: string | undefined;
}

/** The index of the bench: a link to the first state of each screen. */
function GroupLinks({ states }: { states: readonly ShownState[] }) {
  const groups = Map.groupBy(states, ({ title }) => title.split(/[:,(]/, 1)[0]?.trim() ?? title);
  return (
    <nav className="groups" aria-label="Screens">
      <ul>
        {[...groups].map(([name, [first, ...others]]) => (
          <li key={name}>
            <a href={`#${first?.id}`}>{name}</a> {others.length > 0 && others.length + 1}
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface IndexProps {
  readonly states: readonly ShownState[];
  readonly languages: readonly string[];
  readonly theme: Theme;
  readonly style: string;
  /** Address of this page. */
  readonly root: string;
  /** Addresses of modules. */
  readonly script: string;
  readonly renderer?: string | undefined;
}

/**
 * The theme bench: a form for the look of the pages, its contrast and its settings, and every
 * screen in every state as it looks then. For developers and designers.
 */
export function galleryIndex(props: IndexProps): string {
  const { states, languages, theme, style, root, script, renderer } = props;
  const page = (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Theme bench</title>
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>
        <main className="gallery">
          <h1>Theme bench</h1>
          <p>
            Every screen of{" "}
            <a className="docs" href="https://latchkey-auth.github.io/latchkey/pages/">
              @latchkey/pages
            </a>{" "}
            in every state, {states.length} in all, with the look of your app. A title opens its
            screen alone.
          </p>
          <BenchForm {...{ theme, languages, root, renderer }} />
          <div className="results">
            <ContrastTable {...theme} />
            <ThemeSettings theme={theme} />
          </div>
          <GroupLinks states={states} />
          <div className="states">
            {states.map(({ id, title, address, html }) => (
              <section key={id} aria-labelledby={id}>
                <h2 id={id}>
                  <a href={address}>{title}</a>
                </h2>
                {/* oxlint-disable-next-line react/iframe-missing-sandbox -- our own pages */}
                <iframe
                  title={title}
                  {...(html === undefined ? { src: address } : { srcDoc: html })}
                  loading="lazy"
                />
              </section>
            ))}
          </div>
        </main>
        <script type="module" src={script} />
      </body>
    </html>
  );
  return `<!doctype html>${renderToStaticMarkup(page)}`;
}
