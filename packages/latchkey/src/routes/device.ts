import { nowSeconds } from "../config/runtime.ts";
import type { Context } from "../context.ts";
import { cookieHeaders, type HeaderList } from "../http/headers.ts";
import { queryOf } from "../http/parameters.ts";
import { empty, json, type ResponseParts } from "../http/response-parts.ts";
import { absolute } from "../config/addresses.ts";
import type { Exchange } from "../request/exchange.ts";
import type { DeviceBinding } from "../session/device-binding.ts";
import type { BoundSession } from "../session/device-offer.ts";
import { isMarked } from "../session/marks/ended-list.ts";
import type { DeviceProofOutcome } from "../telemetry/telemetry.ts";
import { deviceScope } from "./device-scope.ts";
import { verifyDeviceProof } from "./device-proof.ts";

/** The app as a browser with a key meets it. */
interface DeviceRoute extends DeviceBinding {
  readonly scope: ReturnType<typeof deviceScope>;
  /** Absolute address of this route. */
  readonly url: string;
  /** Epoch seconds. */
  readonly now: number;
  readonly count: (outcome: DeviceProofOutcome) => void;
  /** @throws {Refusal} `store_unavailable`: only the store knows whether a session has ended */
  isOver(session: BoundSession): Promise<boolean>;
}

/**
 * Registers the key of a device for a session, or renews its proof (Device Bound Session
 * Credentials, W3C draft). Reads no cookie: after a sign-in at another site the browser sends none.
 *
 * Browsers end what they hold after any other status than 200, 403 with a challenge, and 5xx.
 */
export async function device(context: Context, { request }: Exchange): Promise<ResponseParts> {
  const { config, reader } = context;
  const binding = reader.device;
  if (binding === null) return empty(400);
  const now = nowSeconds(context);
  const route: DeviceRoute = {
    ...binding,
    scope: deviceScope(config, context.pages),
    url: absolute(config, config.routes.device),
    now,
    count: (outcome) => context.observer.measure({ of: "device-proof", outcome }),
    isOver: async (session) =>
      now >= session.end ||
      context.recent.endingOf(session.id) !== null ||
      (reader.store !== null && (await isMarked(reader.store, session))),
  };
  const proof = unquote(request.headers.get("secure-session-response") ?? "");
  if (request.headers.get("sec-secure-session-id") === null) return register(route, proof);
  return refresh(route, queryOf(request).get("k") ?? "", proof);
}

async function register(route: DeviceRoute, text: string): Promise<ResponseParts> {
  const proof = await verifyDeviceProof(text, null);
  const session = proof && route.offers.openOffer(proof.jti, route.now);
  if (proof === null || session === null || (await route.isOver(session))) return refuse(route);
  route.count("registered");
  const kept = route.offers.keep({ ...session, jwk: proof.jwk });
  const headers = provedHeaders(route, session.id, proof.thumbprint);
  return json(instructions(route, kept), 200, headers);
}

async function refresh(route: DeviceRoute, kept: string, text: string): Promise<ResponseParts> {
  const { offers, identifier, now } = route;
  const key = offers.openKept(kept);
  if (key === null) return refuse(route);
  if (await route.isOver(key)) {
    route.count("ended");
    return json({ session_identifier: identifier, continue: false }, 200);
  }
  const proof = await verifyDeviceProof(text, key.jwk);
  if (proof === null || !offers.isCurrent(proof.jti, key.id, now)) {
    route.count("challenged");
    return empty(403, challengeHeaders(route, key.id));
  }
  route.count("refreshed");
  return empty(200, provedHeaders(route, key.id, proof.thumbprint));
}

function refuse({ count }: DeviceRoute): ResponseParts {
  count("refused");
  return empty(400);
}

/** The cookie for a proof, and the challenge for the next one. */
function provedHeaders(route: DeviceRoute, id: string, thumbprint: string): HeaderList {
  const setCookie = route.cookie.write(id, thumbprint, route.now);
  return [...cookieHeaders([setCookie]), ...challengeHeaders(route, id)];
}

function challengeHeaders({ offers, identifier, now }: DeviceRoute, id: string): HeaderList {
  return [["Secure-Session-Challenge", `"${offers.challenge(id, now)}";id="${identifier}"`]];
}

/** What the browser proves from then on, where, and before which requests. */
function instructions({ cookie, identifier, scope, url }: DeviceRoute, kept: string) {
  return {
    session_identifier: identifier,
    refresh_url: `${url}?k=${kept}`,
    scope,
    credentials: [{ type: "cookie", name: cookie.name, attributes: cookie.attributes }],
    // A link in a mail opens a page at once.
    allowed_refresh_initiators: ["*"],
  };
}

/** A text, or a string of a structured header (RFC 9651). */
function unquote(value: string): string {
  return value.replace(/^"(.*)"$/, "$1");
}
