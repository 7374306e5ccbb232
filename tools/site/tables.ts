/**
 * Tables of rendered Markdown for all readers: Markdown demands a head, even if it is empty, and a
 * wide table that scrolls must be reachable by keyboard.
 */
export function improveTables(html: string): string {
  return html
    .replaceAll(/<thead>\s*<tr>\s*(?:<th[^>]*>\s*<\/th>\s*)+<\/tr>\s*<\/thead>/g, "")
    .replaceAll(/<th([^>]*)>\s*<\/th>/g, "<td$1></td>")
    .replaceAll("<table>", '<table tabindex="0">');
}
