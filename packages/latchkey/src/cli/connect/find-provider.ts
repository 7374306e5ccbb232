import { ask, bare, type Fetch, objectOf, textIn } from "../doctor/ask.ts";

const suffix = "/.well-known/openid-configuration";

/**
 * Finds the issuer at an address: an issuer, its discovery address, or a host.
 *
 * @returns the issuer, exactly as its metadata spells it
 * @throws Error with one sentence and the value to set
 */
export async function findIssuer(text: string, fetch: Fetch): Promise<string> {
  const url = URL.parse(/^https?:\/\//.test(text) ? text : `https://${text}`);
  if (url === null) throw new Error(`"${text}" is no address of a provider.`);
  const named = url.origin + url.pathname.replace(suffix, "").replace(/\/+$/, "");
  const answer = await ask(fetch, named + suffix);
  if (answer.kind === "fault") {
    throw new Error(`${named} cannot be reached: ${answer.message}.`);
  }
  const metadata = objectOf(answer);
  const issuer = textIn(metadata, "issuer");
  if (metadata === null || issuer === "") {
    const found = /html/.test(answer.headers.get("content-type") ?? "")
      ? "a web page"
      : `status ${answer.status}`;
    throw new Error(`${bare(answer.url)} has no metadata of a provider, but ${found}.`);
  }
  if (issuer.replace(/\/$/, "") !== named) {
    throw new Error(
      `The provider at ${named} calls itself ${issuer}: run latchkey connect ${issuer}`,
    );
  }
  return issuer;
}
