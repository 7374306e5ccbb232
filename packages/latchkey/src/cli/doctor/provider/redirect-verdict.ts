import { oneLine } from "../../../errors/one-line.ts";
import { type Answer, locationOf, objectOf, type Response, textIn } from "../ask.ts";

/** Whether a provider accepts an address to which it shall return. */
export type AddressVerdict = "accepted" | "refused" | "not-known";

const namesAddress =
  /redirect[_ ]?uri|redirect_mismatch|callback url mismatch|AADSTS50011|illegal_redirect_uri|redirect ur[li]|login redirect/i;

/** Zitadel has checked the address before it shows this page. */
const loginOfZitadel = /^https:\/\/[^/]+\/ui\/(?:v2\/)?login\b.*authRequest/;

/**
 * Judges the response to an authorization request with `prompt=none`. Only an answer at our own
 * address with our state proves that it is registered; a page of sign-in proves nothing.
 */
export function judgeAuthorization(answer: Answer, address: string, state: string): AddressVerdict {
  if (answer.kind === "fault") return "not-known";
  // A pushed request (RFC 9126).
  if (answer.status === 201) return "accepted";
  const location = locationOf(answer)?.href ?? null;
  if (location !== null) {
    const isOurs = location === address || /^[?#]/.test(location.slice(address.length));
    if (location.startsWith(address) && isOurs && location.includes(state)) return "accepted";
    if (loginOfZitadel.test(location)) return "accepted";
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

/** Errors that say only that no user is signed in, or that the provider is busy. */
const expected =
  /^(?:\w+_required|account_selection_required|access_denied|server_error|temporarily_unavailable)$/;

/** An error of the provider, and what it says about it. */
export interface Refused {
  readonly code: string;
  readonly text: string;
}

/**
 * Returns the error and its description with which a provider refuses an authorization request at
 * our own address, or a pushed one; `null` if it refuses nothing.
 */
export function refusalIn(answer: Answer, address: string): Refused | null {
  if (answer.kind === "fault") return null;
  const read = parametersFor(answer, address);
  const code = read("error");
  const text = [code, read("error_description")].filter((each) => each !== "").join(": ");
  return code === "" || expected.test(code) ? null : { code, text: oneLine(text, 200) };
}

type Read = (name: string) => string;

/** The parameters of the response to our address: in a redirect, a form, or JSON. */
function parametersFor(answer: Response, address: string): Read {
  const location = locationOf(answer);
  if (location !== null) {
    const isOurs = location.origin + location.pathname === address;
    const parameters = new URLSearchParams(
      isOurs ? location.search + location.hash.replace("#", "&") : "",
    );
    return (name) => parameters.get(name) ?? "";
  }
  if (hasFormTo(answer, address)) {
    return (name) => new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(answer.text)?.[1] ?? "";
  }
  return (name) => textIn(objectOf(answer), name);
}

function hasFormTo({ text }: Response, address: string): boolean {
  const actions = [...text.matchAll(/<form[^>]+action="([^"]+)"/gi)].map(([, action]) => action);
  return actions.some((action) => action?.replaceAll("&amp;", "&") === address);
}
