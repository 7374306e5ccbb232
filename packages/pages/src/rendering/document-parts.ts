/** HTML of many pages. All of them share the object, so a server can keep what it makes of it. */
export interface FixedPart {
  readonly html: string;
}

/** A page in three parts: only the one in the middle is its own. */
export interface DocumentParts {
  readonly before: FixedPart;
  readonly own: string;
  readonly after: FixedPart;
}

export function htmlOf({ before, own, after }: DocumentParts): string {
  return before.html + own + after.html;
}
