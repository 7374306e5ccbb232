import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import { type HTMLElement, parse } from "node-html-parser";

/** The state of the gallery in each picture, and whether it shows the whole page. */
export const pictures = [
  { name: "home", state: "home-arrived", isWhole: false },
  { name: "account", state: "account-usual", isWhole: true },
  { name: "devices", state: "devices-activity", isWhole: true },
  { name: "signed-out", state: "signed-out-ended", isWhole: false },
  { name: "problem", state: "problem-provider-unreachable-start", isWhole: false },
] as const;

export const colorSchemes = ["light", "dark"] as const;

/** The digest of what each picture was made from, by the name of the picture. */
export type Digests = Readonly<Record<string, string>>;

/**
 * Returns a digest of what a page looks like: its texts, elements and styles. Scripts, and the data
 * for them, are left out: they change more often than the look.
 */
export function digestOfLook(html: string): string {
  const page = parse(html, { comment: false });
  for (const unseen of page.querySelectorAll("script, link, meta")) unseen.remove();
  page.querySelectorAll("body").forEach(removeData);
  return createHash("sha256").update(page.toString()).digest("base64url");
}

/** The body has the words that scripts say later. */
function removeData(body: HTMLElement): void {
  for (const name of Object.keys(body.attributes))
    if (name.startsWith("data-")) body.removeAttribute(name);
}

/**
 * Returns a sentence for each picture that is missing, or was made from something else.
 *
 * @param folder - of the pictures
 * @param made - what they were made from
 * @param present - what they would be made from now
 */
export function outdatedPictures(folder: string, made: Digests, present: Digests): string[] {
  return Object.entries(present).flatMap(([name, digest]) => {
    const missing = filesOf(name).filter((file) => !existsSync(path.join(folder, file)));
    if (missing.length > 0) return [`${missing.join(" and ")}: missing.`];
    if (made[name] === digest) return [];
    return [`${filesOf(name).join(" and ")}: the screen has changed.`];
  });
}

/** The files of a picture, in every color scheme that it has. */
function filesOf(name: string): readonly string[] {
  const isScreen = pictures.some((picture) => picture.name === name);
  return isScreen ? colorSchemes.map((scheme) => `${name}-${scheme}.png`) : [`${name}.png`];
}
