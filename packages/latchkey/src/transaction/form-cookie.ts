import { keptFormPath } from "../config/addresses.ts";
import { formCookie } from "../config/constants.ts";
import type { FormToSend } from "../config/pages.ts";
import { nowSeconds } from "../config/runtime.ts";
import { isJSONObject } from "../crypto/json-object.ts";
import { type Cookies, createChunkedCookie, joinChunks, unseenChunks } from "../http/cookies.ts";
import { openJSONHere, sealHere, type Sealing } from "./sealing.ts";

/** A posted form that waits until its user has signed in again. */
export interface KeptForm extends Omit<FormToSend, "homeURL"> {
  /** The tag of the user who posted it. No other user can see it. */
  readonly subTag: string;
}

/** Keeps one form in cookies for the page that offers it again. */
export interface KeptForms {
  /**
   * Returns `Set-Cookie` values; `null` if the form is too large for them.
   *
   * @param connection - the id of that of the user
   */
  keep(form: KeptForm, connection?: string): readonly string[] | null;
  /** Returns the form of this user, if it was kept within the last ten minutes. */
  read(cookies: Cookies, subTag: string | undefined): KeptForm | null;
}

const keptSeconds = 600;
/** The most cookies: servers refuse requests with more. */
const chunksAtMost = 2;

export function createKeptForms(sealing: Sealing): KeptForms {
  const { config, clock } = sealing;
  const cookie = createChunkedCookie(formCookie, {
    path: config.basePath + keptFormPath(config),
    secure: config.baseURL.startsWith("https:"),
    sameSite: "lax",
  });
  return {
    keep(form, connection) {
      const until = nowSeconds({ clock }) + keptSeconds;
      const sealed = sealHere(sealing, JSON.stringify({ form, until }), connection);
      // What is left of a longer form would be read as part of this one, or before it.
      const setCookies = cookie.write(sealed, until, unseenChunks(formCookie, chunksAtMost));
      const oneTooMany = `${formCookie}.${chunksAtMost}=`;
      return setCookies.some((line) => line.startsWith(oneTooMany)) ? null : setCookies;
    },
    read(cookies, subTag) {
      for (const value of joinChunks(formCookie, cookies)) {
        const kept = openJSONHere(sealing, value);
        if (!isKept(kept) || clock() >= kept.until * 1000) continue;
        if (kept.form.subTag === subTag) return kept.form;
      }
      return null;
    },
  };
}

function isKept(value: unknown): value is { readonly form: KeptForm; readonly until: number } {
  return isJSONObject(value) && typeof value["until"] === "number" && isKeptForm(value["form"]);
}

function isKeptForm(value: unknown): value is KeptForm {
  if (!isJSONObject(value)) return false;
  const { action, fields, subTag } = value;
  return typeof action === "string" && typeof subTag === "string" && Array.isArray(fields);
}
