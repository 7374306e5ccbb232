import type { Context } from "oidc-provider";
import { chooseSpeech } from "./speech.ts";
import type { Speech } from "./words.ts";

/** The language for a page of the protocol. */
export function speechFor({ oidc, query, req }: Context, customer: string | undefined): Speech {
  return chooseSpeech({
    uiLocales: oidc?.params?.["ui_locales"] ?? query["ui_locales"],
    acceptLanguage: req.headers["accept-language"],
    customer,
  });
}
