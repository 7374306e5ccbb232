import { isJSONObject, parseJSON } from "../../crypto/json-object.ts";
import { ambient } from "../../ambient.ts";

/** What one request brought back. */
export type Answer =
  | {
      readonly kind: "response";
      readonly url: string;
      readonly status: number;
      readonly headers: Headers;
      /** The first 256 KiB. */
      readonly text: string;
      /** Milliseconds at the start and at the head of the response. */
      readonly sentAt: number;
      readonly receivedAt: number;
    }
  | {
      readonly kind: "fault";
      readonly url: string;
      readonly code: string;
      readonly message: string;
    };

export type Response = Extract<Answer, { kind: "response" }>;

export type Fetch = typeof ambient.fetch;

const timeLimitMs = 5000;
const most = 262_144;

/** Sends one request. Never throws, follows no redirect, keeps no cookie. */
export async function ask(fetch: Fetch, url: string, init: RequestInit = {}): Promise<Answer> {
  const sentAt = ambient.clock();
  try {
    const response = await fetch(url, {
      ...init,
      redirect: "manual",
      signal: AbortSignal.timeout(timeLimitMs),
    });
    const receivedAt = ambient.clock();
    const text = await beginning(response);
    const { status, headers } = response;
    return { kind: "response", url, status, headers, text, sentAt, receivedAt };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const code = codeOf(cause) ?? codeOf(error) ?? "";
    const message = cause instanceof Error ? cause.message : String(cause);
    return { kind: "fault", url, code, message };
  }
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

async function beginning({ body }: globalThis.Response): Promise<string> {
  if (body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > most) break;
  }
  return text;
}

export const isResponse = (answer: Answer | null | undefined): answer is Response =>
  answer?.kind === "response";

/** Whether a server has had enough requests, perhaps those of the doctor. */
export const isBusy = (answer: Answer): boolean =>
  isResponse(answer) && (answer.status === 429 || answer.headers.has("retry-after"));

export const later = "Run the doctor again in a minute.";

/** The destination of a redirect; `null` for any other response. */
export function locationOf({ status, headers, url }: Response): URL | null {
  const location = headers.get("location");
  return status < 300 || status > 399 || location === null ? null : URL.parse(location, url);
}

/** The JSON object of a response; `null` for anything else. */
export function objectOf(answer: Answer): Readonly<Record<string, unknown>> | null {
  if (answer.kind === "fault") return null;
  const value = parseJSON(answer.text);
  return isJSONObject(value) ? value : null;
}

/** The text of a member; empty if it is no text. */
export function textIn(object: Readonly<Record<string, unknown>> | null, name: string): string {
  const value = object?.[name];
  return typeof value === "string" ? value : "";
}

/** An address without user, password, query and fragment, which may hold secrets. */
export function bare(address: string): string {
  const url = URL.parse(address);
  return url === null ? "an address that cannot be read" : url.origin + url.pathname;
}

/** The members of an array; none if it is no array. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
