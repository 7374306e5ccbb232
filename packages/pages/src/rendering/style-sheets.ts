/** The parts of the style sheet of each kind of page, in their order. */
const sheets = {
  public: ["base", "column", "copying", "problem", "public", "print", "brand"],
  account: ["base", "signedIn", "account", "print", "brand"],
  details: ["base", "signedIn", "copying", "details", "print", "brand"],
  devices: ["base", "signedIn", "devices", "print", "brand"],
  home: ["base", "signedIn", "column", "copying", "home", "print", "brand"],
  problem: ["base", "signedIn", "column", "copying", "problem", "print", "brand"],
} as const;

/** The name of a style sheet. */
export type SheetName = keyof typeof sheets;

export const sheetNames = Object.keys(sheets) as SheetName[];

/** A part of style sheets, as the build makes it; the brand is added when the app starts. */
export type StylePart = Exclude<(typeof sheets)[SheetName][number], "brand">;

/** The text of every part. Most sheets share most of them. */
export type StyleParts = Readonly<Record<StylePart, string>> & { readonly brand?: string };

/** The style sheet of a kind of page. */
export function styleSheet(parts: StyleParts, name: SheetName): string {
  return sheets[name].map((part) => parts[part] ?? "").join("");
}

/** Every style sheet, for the content security policy. */
export function styleSheets(parts: StyleParts): readonly string[] {
  return sheetNames.map((name) => styleSheet(parts, name));
}

/** Whether pages with this style sheet may have copy buttons. */
export function hasCopying(name: SheetName): boolean {
  const parts: readonly string[] = sheets[name];
  return parts.includes("copying");
}
