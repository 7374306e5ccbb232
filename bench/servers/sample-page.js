/**
 * The page that every server answers with.
 *
 * @param {string} sub
 */
export function samplePage(sub) {
  return `<!doctype html><title>Sample</title><p>Signed in as ${sub}</p>`;
}
