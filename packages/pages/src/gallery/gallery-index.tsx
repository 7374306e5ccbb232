import { renderToStaticMarkup } from "react-dom/server";

import type { GalleryState } from "./gallery-state.ts";

interface IndexProps {
  readonly states: readonly { readonly state: GalleryState; readonly html: string }[];
  readonly languages: readonly string[];
  readonly style: string;
  readonly root: string;
}

/**
 * Every screen in every state on one page: a link to each, and a window that shows it. For
 * developers.
 */
export function galleryIndex({ states, languages, style, root }: IndexProps): string {
  const page = (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Gallery</title>
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>
        <main className="gallery">
          <h1>Gallery</h1>
          <p>
            {states.length} states. Add <code>?lang=</code> with one of {languages.join(", ")} to
            see them in another language.
          </p>
          {states.map(({ state: { id, title }, html }) => (
            <section key={id} aria-labelledby={id}>
              <h2 id={id}>
                <a href={`${root}/${id}`}>{title}</a>
              </h2>
              {/* oxlint-disable-next-line react/iframe-missing-sandbox -- our own pages */}
              <iframe title={title} srcDoc={html} loading="lazy" />
            </section>
          ))}
        </main>
      </body>
    </html>
  );
  return `<!doctype html>${renderToStaticMarkup(page)}`;
}
