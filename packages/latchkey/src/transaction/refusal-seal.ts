import { isJSONObject } from "../crypto/json-object.ts";
import type { UnmetRequirement } from "../errors/access-errors.ts";
import { openJSONHere, sealHere, type Sealing } from "./sealing.ts";

/** A refused rule, on its way to the address of our page for it. */
export interface SealedRefusal {
  /** The refused page: a path, or absolute. */
  readonly returnTo: string;
  readonly unmet: readonly UnmetRequirement[];
}

/** Carries a refusal in an address. A forged one could show any text on our page. */
export interface RefusalSeal {
  seal(refusal: SealedRefusal): string;
  /** Returns `null` for anything not sealed here. */
  open(text: string): (SealedRefusal & { readonly isRecent: boolean }) | null;
}

const recentMs = 60_000;
/** Proxies and browsers limit addresses, and a rule may name hundreds of values. */
const unmetLengthAtMost = 1500;

export function createRefusalSeal(sealing: Omit<Sealing, "config">): RefusalSeal {
  const { clock } = sealing;
  return {
    seal({ returnTo, unmet }) {
      const isShort = JSON.stringify(unmet).length <= unmetLengthAtMost;
      const refusal = { returnTo, unmet: isShort ? unmet : [] };
      return sealHere(sealing, JSON.stringify({ refusal, refused: clock() }));
    },
    open(text) {
      const opened = openJSONHere(sealing, text);
      if (!isSealedRefusal(opened)) return null;
      return { ...opened.refusal, isRecent: clock() < opened.refused + recentMs };
    },
  };
}

/** Only this file seals such a value, so its inner parts need no check. */
function isSealedRefusal(
  value: unknown,
): value is { readonly refusal: SealedRefusal; readonly refused: number } {
  return (
    isJSONObject(value) && typeof value["refused"] === "number" && isJSONObject(value["refusal"])
  );
}
