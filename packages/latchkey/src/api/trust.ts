import { readCompactJWS } from "../crypto/compact-jws.ts";
import type { JSONObject } from "../crypto/json-object.ts";
import type { Engine } from "../host/engine.ts";
import type { Connection } from "../oidc/connection.ts";
import type { Issuer } from "../oidc/issuer/issuer.ts";
import type { KeySetVerifier } from "../oidc/issuer/key-set-verifier.ts";
import { publicKeyAlgorithm } from "../oidc/tokens/verify-signature.ts";
import { type Profile, profiles } from "./profiles.ts";
import type { ApiOptions, TokenOptions } from "./settings.ts";

/** An issuer whose tokens count, with what is expected of them. */
export interface TrustedIssuer {
  readonly issuer: string;
  readonly audience: readonly string[];
  readonly profile: Profile;
  readonly algorithms: readonly string[];
  readonly clientIDs: readonly string[];
  /** The client IDs of sign-ins there. */
  readonly signInClients: readonly string[];
  readonly verify: KeySetVerifier;
}

/** The issuers whose tokens count. */
export interface Trust {
  /** By name: that of `default` first, then those of the options, then of other connections. */
  readonly issuers: ReadonlyMap<string, TrustedIssuer>;
  /** Returns the issuer of an admitted tenant, if a provider of sign-ins has many. */
  readonly ofTenants: (claims: JSONObject) => Promise<TrustedIssuer | null>;
}

type Expected = TokenOptions & Pick<Partial<ApiOptions>, "audience">;

/**
 * Returns what gives the issuers whose tokens count now: those of the options, and those of the
 * connections in the settings, which may be replaced. A connection that is looked up makes no
 * issuer trusted: its customer could name any scope.
 */
export function createTrust(
  options: ApiOptions,
  { connections }: Pick<Engine, "connections">,
): () => Trust {
  let all = connections.all;
  let trust = trustIn(options, connections);
  return () => {
    if (connections.all !== all) {
      all = connections.all;
      trust = trustIn(options, connections);
    }
    return trust;
  };
}

function trustIn(options: ApiOptions, connections: Engine["connections"]): Trust {
  const { all, default: byDefault } = connections;
  const listed = options.issuers ?? [];

  function expect({ name, verify }: Issuer, tokens: Expected): TrustedIssuer {
    const { audience = options.audience, profile = "rfc9068", clientIDs = [] } = tokens;
    const here = all.filter(({ issuer }) => issuer.name === name);
    const { algorithms = [publicKeyAlgorithm(here[0] ?? byDefault)] } = tokens;
    const signIns = here.length === 0 ? [byDefault] : here;
    return {
      issuer: name,
      audience: [audience].flat(),
      profile: profiles[profile],
      algorithms,
      clientIDs,
      signInClients: signIns.map(({ clientID }) => clientID),
      verify,
    };
  }

  /** By the options for it, else by RFC 9068; those of the API itself are for `default`. */
  function ofConnection({ issuer }: Connection): TrustedIssuer {
    const own = issuer.name === byDefault.issuer.name ? options : {};
    return expect(issuer, listed.find((each) => each.issuer === issuer.name) ?? own);
  }

  const ofOne = all.filter(({ issuer }) => !issuer.hasTenants).map(ofConnection);
  const ofLists = listed.map((each) => expect(connections.issuer(each.issuer), each));
  const first = byDefault.issuer.hasTenants ? [] : [ofConnection(byDefault)];
  return {
    issuers: new Map([...first, ...ofLists, ...ofOne].map((each) => [each.issuer, each])),
    async ofTenants(claims) {
      const ofMany = all.filter(({ issuer }) => issuer.hasTenants);
      const areIssuers = await Promise.all(ofMany.map(({ issuer }) => issuer.hasIssued(claims)));
      const found = ofMany.find((_, place) => areIssuers[place]);
      return found === undefined ? null : { ...ofConnection(found), issuer: String(claims["iss"]) };
    },
  };
}

/**
 * Whether a token is a JWT that names another issuer than that of `default`: the provider of one
 * issuer is not asked about the tokens of another. With one issuer no token is read here.
 */
export function namesAnother(token: string, { issuers }: Trust, byDefault: Issuer): boolean {
  if (issuers.size < 2 || byDefault.hasTenants) return false;
  const iss = readCompactJWS(token)?.payload["iss"];
  return iss !== undefined && iss !== byDefault.name;
}
