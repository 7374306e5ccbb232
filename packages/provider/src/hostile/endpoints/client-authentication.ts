import type { JWTVerifyGetKey } from "jose";
import { createLocalJWKSet, jwtVerify } from "jose";
import type { Context } from "../context.ts";
import { complain, settingOf } from "../context.ts";
import type { SeenRequest } from "../request-log.ts";
import { currentMetadata } from "./metadata.ts";

const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/**
 * Whether a request authenticates the client by its registered method (OpenID Connect Core 9).
 * Any other method, or two methods together, fails.
 */
export async function isAuthenticated(context: Context, seen: SeenRequest): Promise<boolean> {
  const { form, headers } = seen;
  const used = [
    ...(headers.authorization === undefined ? [] : ["client_secret_basic"]),
    ...(form.has("client_secret") ? ["client_secret_post"] : []),
    ...(form.has("client_assertion") ? ["assertion"] : []),
  ];
  if (used.length > 1)
    complain(context, "CERT-007", `several client authentications: ${used.join()}`);
  if (used.length > 1 || isForeign(context, form.get("client_id"))) return false;
  const method = settingOf(context, "authMethod") ?? context.client.authMethod;
  switch (method) {
    case "client_secret_basic":
      return isBasic(context, headers.authorization);
    case "client_secret_post":
      return form.get("client_secret") === context.client.secret && form.has("client_id");
    case "client_secret_jwt":
      return isAssertion(context, form, Buffer.from(context.client.secret));
    case "private_key_jwt":
      return isAssertion(context, form, createLocalJWKSet(context.client.jwks ?? { keys: [] }));
    case "none":
      return used.length === 0 && form.has("client_id");
  }
}

function isForeign({ client }: Context, id: string | null): boolean {
  return id !== null && id !== client.id;
}

/** RFC 6749, section 2.3.1: id and secret are form-encoded, unless `rawBasic` is set. */
function isBasic(context: Context, authorization: string | undefined): boolean {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/iu.exec(authorization ?? "")?.[1];
  if (encoded === undefined) return false;
  const [id = "", ...rest] = Buffer.from(encoded, "base64").toString("utf8").split(":");
  const raw = context.behaviors.some((behavior) => behavior.rawBasic);
  const read = raw ? (text: string) => text : decodeForm;
  return read(id) === context.client.id && read(rest.join(":")) === context.client.secret;
}

function decodeForm(text: string): string {
  return new URLSearchParams(`x=${text}`).get("x") ?? "";
}

async function isAssertion(
  context: Context,
  form: URLSearchParams,
  key: Uint8Array | JWTVerifyGetKey,
): Promise<boolean> {
  if (form.get("client_assertion_type") !== assertionType) return false;
  try {
    const { client, issuer, usedAssertions } = context;
    const token = form.get("client_assertion") ?? "";
    const options = {
      issuer: client.id,
      subject: client.id,
      audience: [issuer, String(currentMetadata(context)["token_endpoint"])],
      requiredClaims: ["exp", "jti"],
      clockTolerance: 5,
      currentDate: new Date(context.now()),
    };
    const { payload } =
      typeof key === "function"
        ? await jwtVerify(token, key, options)
        : await jwtVerify(token, key, { ...options, algorithms: ["HS256"] });
    const jti = payload.jti ?? "";
    if (usedAssertions.has(jti)) return false;
    usedAssertions.add(jti);
    return true;
  } catch {
    return false;
  }
}
