import { softMarginSeconds } from "../config/constants.ts";
import { nowSeconds } from "../config/runtime.ts";
import { sha256 } from "../crypto/digest.ts";
import { AccessTokenError } from "../errors/access-token-error.ts";
import { callTokenEndpoint } from "../oidc/token-request.ts";
import { endOfAccessToken, type TokenResponse } from "../oidc/token-response.ts";
import { createRecentMap, type RecentMap } from "../time/recent-map.ts";
import { pauses } from "../time/pauses.ts";
import { endOfToken, type HeldToken } from "../session/session.ts";
import { checkTarget } from "./check-target.ts";
import { faultOfResponse } from "./check-response.ts";
import { exchangeErrorOf, exchangeFailed } from "./exchange-error.ts";
import type { Form } from "./forms.ts";
import { keyOf, withToken } from "./held-tokens.ts";
import type {
  ExchangeRuntime,
  ExchangeTarget,
  Subject,
  TokenExchange,
} from "../oidc/token-exchange.ts";

/** What an exchange has brought. */
type Exchanged = HeldToken & { readonly accessToken: string };

/** What this process knows of an exchange. */
type Known =
  /** Another request is making it, until this time at the latest; monotonic milliseconds. */
  | { readonly state: "under-way"; readonly until: number }
  | { readonly state: "done"; readonly token: Exchanged }
  | { readonly state: "failed" };

interface Wanted {
  readonly form: Form;
  readonly runtime: ExchangeRuntime;
  readonly subject: Subject;
  readonly target: ExchangeTarget;
}

/** Results are kept in the session; this helps requests at the same moment, and full sessions. */
const rememberMs = 300_000;
const rememberAtMost = 1000;

/** Creates a token exchange of one form, with the memory of this process. */
export function createTokenExchange(form: Form): TokenExchange {
  let memory: RecentMap<Known> | undefined;

  return {
    async tokenFor(runtime, subject, target, isForced) {
      checkTarget(form, target);
      const wanted = { form, runtime, subject, target };
      const key = keyOf(form.name, target);
      const held = subject.held[key];
      if (!isForced && held?.accessToken !== undefined && isGood(runtime, held)) {
        return held.accessToken;
      }
      memory ??= createRecentMap({
        clock: runtime.clock,
        timing: runtime.timing,
        keepMs: rememberMs,
        atMost: rememberAtMost,
      });
      const token = await exchangeOnce(wanted, memory, isForced);
      await subject.save((tokens) => withToken(tokens, key, token, nowSeconds(runtime)));
      return token.accessToken;
    },
  };
}

/** One request at a time makes the same exchange; the others use its result. */
async function exchangeOnce(
  wanted: Wanted,
  memory: RecentMap<Known>,
  isForced: boolean,
): Promise<Exchanged> {
  const { form, runtime, subject, target } = wanted;
  const { timing } = runtime;
  const { timeoutMs } = subject.connection.issuer;
  const { issuer, client } = subject.connection.registration;
  const names = [issuer, client, subject.accessToken, keyOf(form.name, target)];
  const place = sha256(JSON.stringify(names));
  for (const pauseMs of pauses(runtime)) {
    const known = memory.get(place);
    if (known?.state === "done" && !isForced && isGood(runtime, known.token)) return known.token;
    if (known?.state !== "under-way" || known.until < timing.monotonic()) break;
    // oxlint-disable-next-line no-await-in-loop -- each look comes after a pause
    await timing.wait(pauseMs);
  }
  memory.set(place, { state: "under-way", until: timing.monotonic() + timeoutMs * 2 });
  try {
    const token = await exchangeToken(wanted);
    memory.set(place, { state: "done", token });
    return token;
  } catch (error) {
    memory.set(place, { state: "failed" });
    throw error;
  }
}

async function exchangeToken(wanted: Wanted): Promise<Exchanged> {
  const { form, runtime, subject, target } = wanted;
  const { grantType, parameters } = form.toRequest({
    ...target,
    accessToken: subject.accessToken,
  });
  const response = await callTokenEndpoint(subject.connection, grantType, parameters).catch(
    (fault: unknown) => {
      throw exchangeErrorOf(fault, target);
    },
  );
  const fault = faultOfResponse(form, subject.accessToken, response);
  if (fault !== null) throw exchangeFailed(target, fault);
  checkScopes(wanted, response);
  // The subject ends it at the latest, and also if the response names no end.
  const named = endOfAccessToken(response, nowSeconds(runtime)) ?? Infinity;
  const end = Math.min(named, subject.expiresAt);
  return {
    accessToken: response.accessToken,
    ...(end === Infinity ? {} : { accessTokenExpiresAt: end }),
  };
}

/** A response without `scope` grants what was requested (RFC 6749, 5.1). */
function checkScopes({ form, target: { scopes = [] } }: Wanted, { scope }: TokenResponse): void {
  if (scope === undefined) return;
  const granted = scope.split(" ");
  const missing = scopes.filter((each) => !form.isGranted(each, granted));
  if (missing.length === 0) return;
  throw new AccessTokenError(
    "ERR_INSUFFICIENT_SCOPE",
    `The provider has exchanged the access token without the scopes "${missing.join(" ")}".`,
  );
}

function isGood(runtime: ExchangeRuntime, token: HeldToken): boolean {
  return endOfToken(token) - nowSeconds(runtime) > softMarginSeconds;
}
