import { type Answer, locationOf, type Response } from "../ask.ts";

/** Whether a provider accepts an address to which it shall return. */
export type AddressVerdict = "accepted" | "refused" | "not-known";

const namesAddress =
  /redirect[_ ]?uri|redirect_mismatch|callback url mismatch|AADSTS50011|illegal_redirect_uri|redirect ur[li]|login redirect/i;

/**
 * Judges the response to an authorization request with `prompt=none`. Only an answer at our own
 * address with our state proves that it is registered; a page of sign-in proves nothing.
 */
export function judgeAuthorization(answer: Answer, address: string, state: string): AddressVerdict {
  if (answer.kind === "fault") return "not-known";
  const location = locationOf(answer)?.href ?? null;
  if (location !== null) {
    const isOurs = location === address || /^[?#]/.test(location.slice(address.length));
    if (location.startsWith(address) && isOurs && location.includes(state)) return "accepted";
    return namesAddress.test(location) && !location.includes(encodeURIComponent(address))
      ? "refused"
      : "not-known";
  }
  if (hasFormTo(answer, address)) return "accepted";
  return answer.status >= 400 && namesAddress.test(answer.text) ? "refused" : "not-known";
}

/** Returns whether a provider refuses an authorization request because of its client. */
export function namesClient(answer: Answer): boolean {
  if (answer.kind === "fault" || answer.status < 400 || namesAddress.test(answer.text))
    return false;
  return /invalid_client|unauthorized_client|unknown client|(?:client|application)\W[^.]{0,80}(?:invalid|not (?:be )?found|does not exist)|AADSTS700016/i.test(
    answer.text,
  );
}

function hasFormTo({ text }: Response, address: string): boolean {
  const actions = [...text.matchAll(/<form[^>]+action="([^"]+)"/gi)].map(([, action]) => action);
  return actions.some((action) => action?.replaceAll("&amp;", "&") === address);
}
