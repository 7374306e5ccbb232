import type { WrittenOptions } from "../config/option-forms.ts";
import type { Config, ReadConnection } from "../config/config.ts";
import type { Pages, PagesSite, Rendered } from "../config/pages.ts";
import type { Settings } from "../config/settings.ts";
import type { ConfigFault } from "../errors/config-error.ts";
import type { AuthRequest, HostRequest } from "../http/auth-request.ts";
import type { RequestTarget } from "../http/request-target.ts";
import type { ResponseParts } from "../http/response-parts.ts";
import type { Redirection } from "../oidc/redirection.ts";
import type { MaybePromise } from "../time/maybe-promise.ts";
import type { ReplaceableConnections } from "../oidc/connections.ts";
import type { IssuerDeps } from "../oidc/issuer/issuer.ts";
import type { TokenExchange } from "../oidc/token-exchange.ts";
import type { FormerSessionIn } from "../session/former-session.ts";
import type { Session } from "../session/session.ts";
import type { AdmittedRequest, Received } from "./admitted-request.ts";
import type { Engine } from "./engine.ts";
import type { HostContext } from "./host-context.ts";
import type { RequestAuth } from "./request-auth.ts";
import type { Scheme } from "./scheme.ts";

/** The options of `createAuth` that take a part. */
export type PartName =
  | "api"
  | "connections"
  | "formerSessions"
  | "inspector"
  | "pages"
  | "relay"
  | "tokenExchange";

/**
 * A feature with an entry point of its own: apps that do not import it do not carry it. Made by a
 * function such as `api()` or `pages()`.
 */
export interface Part<Name extends PartName = PartName> {
  /** The option that takes it. */
  readonly name: Name;
  /** Its options. Their faults are reported together with those of the settings. */
  readonly written: WrittenOptions;
  /** Returns paths that are an API, beside `/api`: no request for them is led to login. */
  apiPaths?(): readonly string[];
  /** Returns whether users sign in, too; by default they do. */
  hasSessions?(): boolean;
  /**
   * Renders the faults of all settings, for developers; a text by default.
   *
   * @param settings - as written, wrong ones included
   */
  setup?(
    faults: readonly ConfigFault[],
    settings: Readonly<Record<string, unknown>>,
    request: AuthRequest,
  ): Rendered;
  /** Connections which it does not have to find, by their ids: they are settings. */
  readonly listed?: Settings["connections"];
  /** Adds to the connections of the settings; called once, before parts are opened. */
  connect?(connections: ReplaceableConnections, deps: ConnectDeps): ReplaceableConnections;
  /** Called once. No other function but `setup` is called before all options are valid. */
  open(engine: Engine): MaybePromise<OpenedPart>;
}

/** What the engine gives to a part that finds connections. */
export interface ConnectDeps extends IssuerDeps {
  /** Reads the settings of one more connection. */
  readonly readConnection: ReadConnection;
}

/** What a part adds to the engine. */
export interface OpenedPart {
  /** Responds to requests for addresses of its own, before any guard; `null` for others. */
  readonly routes?: PartRoutes | undefined;
  /** Ways to authenticate, which come before the session. */
  readonly schemes?: readonly Scheme[] | undefined;
  readonly pages?: ((site: PagesSite) => Pages<RequestAuth, Session>) | undefined;
  /** Returns what follows every request. */
  readonly around?: ((receive: Receive) => Receive) | undefined;
  readonly tokenExchange?: TokenExchange | undefined;
  readonly formerSessionIn?: FormerSessionIn | undefined;
  /** Returns the redirection endpoint of a site; `null` for one of its own. */
  readonly redirection?: ((site: Config) => Redirection | null) | undefined;
  /** What a developer reads at the start. */
  readonly sentence?: string | undefined;
}

/** Answers our own routes and refused requests of one site, and admits the rest. */
export type Receive = (
  context: HostContext,
  request: HostRequest,
  outer?: AdmittedRequest,
) => Promise<Received>;

/** Responds to a request for an address of a part; `null` for others. */
export type PartRoutes = (
  context: HostContext,
  request: HostRequest,
  target: RequestTarget,
) => ResponseParts | null;

/** Opens parts. What several of them add counts together, in the order of the parts. */
export async function openParts(parts: readonly Part[], engine: Engine): Promise<OpenedPart> {
  const opened = await Promise.all(parts.map(async (part) => part.open(engine)));
  return opened.reduce(combine, {});
}

function combine(one: OpenedPart, other: OpenedPart): OpenedPart {
  return {
    ...one,
    ...other,
    routes: both(one.routes, other.routes, (first, second) => (...call) => {
      return first(...call) ?? second(...call);
    }),
    schemes: both(one.schemes, other.schemes, (first, second) => [...first, ...second]),
    around: both(one.around, other.around, (first, second) => (receive) => first(second(receive))),
  };
}

function both<Value>(
  one: Value | undefined,
  other: Value | undefined,
  join: (one: Value, other: Value) => Value,
): Value | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return join(one, other);
}
