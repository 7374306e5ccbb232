// The part of oidc-provider in use here; the package ships no types.
declare module "oidc-provider" {
  import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

  export interface Client {
    readonly clientId: string;
    readonly clientName?: string;
    readonly clientAuthMethod: string;
    grantTypeAllowed(grantType: string): boolean;
  }

  export interface Grant {
    readonly jti: string;
    addOIDCScope(scope: string): void;
    addOIDCClaims(claims: readonly string[]): void;
    addResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  }

  export interface ResourceServer {
    readonly scopes: ReadonlySet<string>;
  }

  export interface AccessToken {
    readonly accountId?: string;
    readonly clientId: string;
    readonly aud?: string;
    /** Epoch seconds. */
    readonly exp?: number;
    readonly grantId?: string;
    readonly jkt?: string;
    readonly expiration: number;
    readonly tokenType: string;
    readonly scope?: string;
    setThumbprint(kind: "jkt", thumbprint: string): void;
    save(): Promise<string>;
  }

  export interface DPoPProof {
    readonly thumbprint: string;
    readonly jti: string;
  }

  export interface ProviderSession {
    readonly jti: string;
    readonly uid: string;
    readonly accountId?: string;
    readonly state?: { readonly secret?: string };
    readonly authorizations?: Readonly<
      Record<string, { readonly sid?: string; readonly grantId?: string }>
    >;
    grantIdFor(clientId: string): string | undefined;
  }

  export interface OIDCContext {
    readonly route: string | undefined;
    readonly client?: Client;
    readonly resourceServers: Readonly<Record<string, ResourceServer>>;
    readonly account?: { readonly accountId: string };
    readonly session?: ProviderSession;
    readonly requestParamScopes: ReadonlySet<string>;
    readonly requestParamClaims: ReadonlySet<string>;
    readonly params: Readonly<Record<string, unknown>>;
    /** How the person of the session has signed in. */
    readonly acr?: string;
    readonly result?: InteractionResult;
  }

  export interface Context {
    readonly req: IncomingMessage;
    readonly res: ServerResponse;
    readonly oidc?: OIDCContext;
    readonly query: Readonly<Record<string, unknown>>;
    readonly response: { get(name: string): string | readonly string[] };
    status: number;
    body: unknown;
    set(name: string, value: string | readonly string[]): void;
    set(headers: Readonly<Record<string, string>>): void;
    remove(name: string): void;
  }

  export interface ProtocolContext extends Context {
    readonly oidc: OIDCContext;
  }

  export interface Interaction {
    readonly uid: string;
    readonly prompt: { readonly name: string; readonly details: Readonly<Record<string, unknown>> };
    readonly params: Readonly<Record<string, unknown>>;
    readonly session?: { readonly accountId?: string };
  }

  export interface InteractionResult {
    readonly login?: { readonly accountId: string; readonly acr?: string };
    readonly select_account?: Readonly<Record<string, never>>;
    readonly create?: Readonly<Record<string, never>>;
    readonly consent?: Readonly<Record<string, never>>;
    readonly error?: string;
    readonly error_description?: string;
  }

  export interface Adapter {
    upsert(id: string, payload: Record<string, unknown>, expiresIn?: number): Promise<void>;
    find(id: string): Promise<Record<string, unknown> | undefined>;
    findByUid(uid: string): Promise<Record<string, unknown> | undefined>;
    findByUserCode(userCode: string): Promise<Record<string, unknown> | undefined>;
    consume(id: string): Promise<void>;
    destroy(id: string): Promise<void>;
    revokeByGrantId(grantId: string): Promise<void>;
  }

  export class Prompt {
    constructor(options: { name: string; requestable: boolean });
    readonly name: string;
    readonly checks: { add(check: Check): void; remove(reason: string): void };
  }

  export class Check {
    /** @param check - whether the prompt is needed */
    constructor(reason: string, description: string, check: (context: ProtocolContext) => boolean);
    readonly reason: string;
  }

  export interface Policy extends Array<Prompt> {
    get(name: string): Prompt | undefined;
    add(prompt: Prompt, index?: number): void;
  }

  export const interactionPolicy: {
    base(): Policy;
    Prompt: typeof Prompt;
    Check: typeof Check;
  };

  interface Schema {
    invalidate(message: string, code?: string): void;
  }

  class ProtocolError extends Error {
    constructor(description?: string, detail?: string);
  }

  export const errors: {
    readonly InvalidGrant: typeof ProtocolError;
    readonly InvalidRequest: typeof ProtocolError;
    readonly InvalidScope: typeof ProtocolError;
    readonly InvalidTarget: typeof ProtocolError;
  };

  export class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>);
    readonly Client: {
      find(id: string): Promise<Client | undefined>;
      readonly Schema: { readonly prototype: Schema };
      readonly prototype: { includeSid(this: Client): boolean };
    };
    readonly Grant: {
      new (properties: { accountId: string; clientId: string }): Grant;
      find(id: string): Promise<Grant | undefined>;
    };
    readonly AccessToken: {
      new (properties: {
        accountId: string;
        client: Client;
        grantId: string;
        gty: string;
        expiresIn: number;
        resourceServer: ResourceServer;
        scope: string;
      }): AccessToken;
      find(token: string): Promise<AccessToken | undefined>;
    };
    readonly ResourceServer: new (
      identifier: string,
      info: Readonly<Record<string, unknown>>,
    ) => ResourceServer;
    registerGrantType(
      name: string,
      handler: (context: ProtocolContext) => Promise<void>,
      parameters: readonly string[],
    ): void;
    callback(): RequestListener;
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): this;
    on(event: string, listener: (context: Context, error: Error) => void): this;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: InteractionResult,
      options?: { mergeWithLastSubmission?: boolean },
    ): Promise<void>;
  }
}

declare module "oidc-provider/lib/helpers/grants.js" {
  import type { DPoPProof, ProtocolContext, Provider } from "oidc-provider";

  export function validateDpop(
    provider: Provider,
    context: ProtocolContext,
  ): Promise<DPoPProof | undefined>;
  /** Does nothing without a proof. */
  export function checkDpopReplay(
    provider: Provider,
    context: ProtocolContext,
    proof: DPoPProof | undefined,
    clientID: string,
  ): Promise<void>;
  export function checkDpopRequired(
    provider: Provider,
    context: ProtocolContext,
    proof: DPoPProof | undefined,
  ): void;
}
