import { CompactSign, exportJWK, generateKeyPair, type JWK } from "jose";

import { type Jar, jarAfter } from "./cookie-jar.ts";
import type { QuickApp } from "../worlds/quick-app.ts";

/** How a proof differs from a good one. */
export interface DeviceProofChange {
  readonly header?: Readonly<Record<string, unknown>>;
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** A browser that holds a key for its sessions (Device Bound Session Credentials, W3C draft). */
export interface Device {
  /** Its public key. */
  readonly jwk: JWK;
  /** Signs a challenge; the first proof brings the key. */
  prove(challenge: string, isFirst: boolean, change?: DeviceProofChange): Promise<string>;
  /** Follows the offer of a response, without any cookie. */
  register(offer: Response, change?: DeviceProofChange): Promise<Registered>;
  /** Renews a proof: with the challenge that it has and, if that is refused, with a new one. */
  refresh(registered: Registered, change?: DeviceProofChange): Promise<Response>;
}

/** What a browser keeps of its registration. */
export interface Registered {
  readonly response: Response;
  /** Path and query of a refresh. */
  readonly refreshAddress: string;
  readonly identifier: string;
  readonly challenge: string;
  /** The cookie of the proof. */
  readonly jar: Jar;
}

export async function createDevice(app: Pick<QuickApp, "ask">, alg = "ES256"): Promise<Device> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { modulusLength: 2048 });
  const jwk = await exportJWK(publicKey);

  const prove: Device["prove"] = (challenge, isFirst, { header, claims } = {}) => {
    const payload = JSON.stringify({ jti: challenge, ...claims });
    return new CompactSign(Buffer.from(payload))
      .setProtectedHeader({ alg, typ: "dbsc+jwt", ...(isFirst ? { jwk } : {}), ...header })
      .sign(privateKey);
  };

  return {
    jwk,
    prove,
    async register(offer, change) {
      const value = offer.headers.get("secure-session-registration") ?? "";
      const [, path = "", challenge = ""] = /path="([^"]*)";challenge="([^"]*)"/.exec(value) ?? [];
      const proof = await prove(challenge, true, change);
      return registeredBy(await post(app, path, { "secure-session-response": proof }));
    },
    async refresh({ refreshAddress, identifier, challenge }, change) {
      const send = async (known: string) =>
        post(app, refreshAddress, {
          "sec-secure-session-id": identifier,
          "secure-session-response": await prove(known, false, change),
        });
      const first = await send(challenge);
      return first.status === 403 ? send(challengeIn(first)) : first;
    },
  };
}

/** Sends what browsers send to the route of devices: no body, and here no cookie. */
export function post(
  app: Pick<QuickApp, "ask">,
  address: string,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  return app.ask(address, { method: "POST", headers });
}

async function registeredBy(response: Response): Promise<Registered> {
  const body = response.status === 200 ? ((await response.clone().json()) as Instructions) : {};
  const { refresh_url: refreshURL = "about:blank", session_identifier: identifier = "" } = body;
  const { pathname, search } = new URL(refreshURL);
  return {
    response,
    refreshAddress: pathname + search,
    identifier,
    challenge: challengeIn(response),
    jar: jarAfter(response.headers.getSetCookie()),
  };
}

interface Instructions {
  readonly refresh_url?: string;
  readonly session_identifier?: string;
}

/** The challenge for the next proof. */
export function challengeIn(response: Response): string {
  const value = response.headers.get("secure-session-challenge") ?? "";
  return /^"([^"]*)";id=/.exec(value)?.[1] ?? "";
}
