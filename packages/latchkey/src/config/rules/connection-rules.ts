import type { ConfigFault } from "../../errors/config-error.ts";
import { connectionVariable } from "../connection-ids.ts";
import { defaultID } from "../constants.ts";
import { callbackPath, fixedPaths, pathOf, type Routes, routesOf } from "../routes.ts";
import type { ResolvedSettings } from "../settings-schema.ts";
import { variableOf } from "../setting-definitions.ts";
import { isFaulty } from "./rule.ts";

/** What the rules over several connections look at. */
export interface JudgedConnection extends Pick<
  ResolvedSettings,
  "issuerBaseURL" | "clientID" | "responseType" | "domains"
> {
  readonly id: string;
  readonly uses: string;
  readonly callback: "own" | "shared";
}

type Found = Omit<ConfigFault, "option" | "variable">;

/** A rule over one connection beside those before it. */
interface JointRule {
  /** The option of the connection. */
  readonly option: keyof JudgedConnection;
  /** What it reads beside it. A connection with a fault in one of them is left out. */
  readonly others?: readonly (keyof JudgedConnection)[];
  /** Returns a function for each connection, which finds what is wrong with it, if anything. */
  readonly begin: () => (connection: JudgedConnection) => Found | null;
}

/** Where anyone gets an address. */
const publicMail: ReadonlySet<string> = new Set(
  (
    "126.com 163.com aol.com fastmail.com free.fr gmail.com gmx.at gmx.ch gmx.com gmx.de gmx.net " +
    "googlemail.com hey.com hotmail.com icloud.com libero.it live.com mac.com mail.com mail.ru " +
    "me.com msn.com naver.com orange.fr outlook.com pm.me proton.me protonmail.com qq.com t-online.de " +
    "tutanota.com web.de yahoo.com yandex.ru ymail.com zoho.com"
  ).split(" "),
);

const jointRules: readonly JointRule[] = [
  {
    option: "clientID",
    others: ["issuerBaseURL", "uses"],
    begin() {
      const clients = new Map<string, string>();
      return ({ id, uses, issuerBaseURL, clientID }) => {
        if (uses !== id) return null;
        const key = JSON.stringify([issuerBaseURL, clientID]);
        const same = clients.get(key);
        if (same === undefined) clients.set(key, id);
        if (same === undefined) return null;
        const message = `is the client of ${same} at the same provider`;
        const remedy = `Set uses to ${same}, without settings of the client beside it.`;
        return { message, seen: clientID, remedy };
      };
    },
  },
  {
    option: "domains",
    begin() {
      const owners = new Map<string, string>();
      return ({ id, domains }) => {
        const claimed = domains.filter((domain) => (owners.get(domain) ?? id) !== id);
        const words = claimed.map((domain) => `${domain} belongs to ${owners.get(domain)} already`);
        for (const domain of domains) owners.set(domain, owners.get(domain) ?? id);
        const remedy = "Leave it with one connection: a domain leads to one provider.";
        return claimed.length === 0 ? null : { message: words.join(", "), remedy };
      };
    },
  },
  {
    option: "domains",
    begin:
      () =>
      ({ domains }) => {
        const found = domains.filter((domain) => publicMail.has(domain)).join(", ");
        const message = "has a domain of a public mail service";
        const remedy = "Leave it out: anyone gets an address there.";
        return found === "" ? null : { message, seen: found, remedy };
      },
  },
  {
    option: "callback",
    others: ["responseType"],
    begin:
      () =>
      ({ callback, responseType }) =>
        callback === "own" || responseType === "code"
          ? null
          : {
              message: `is shared, and needs the response type code in place of ${responseType}`,
              remedy: "Use the response type code, or a redirect URI of its own.",
            },
  },
  {
    option: "callback",
    others: ["issuerBaseURL", "uses"],
    begin() {
      const issuers = new Map<string, string>();
      return ({ id, uses, callback, issuerBaseURL }) => {
        if (callback === "own" || uses !== id) return null;
        const same = issuers.get(issuerBaseURL);
        if (same === undefined) issuers.set(issuerBaseURL, id);
        if (same === undefined) return null;
        const message = `is shared with ${same}, which has the same provider`;
        return { message, remedy: "Register a redirect URI of its own, and leave callback out." };
      };
    },
  },
];

/**
 * Returns the faults that connections have beside each other.
 *
 * @param faulty - the options with a fault of their own, of which nothing more is said
 */
export function faultsAmong(
  app: ResolvedSettings,
  more: readonly JudgedConnection[],
  faulty: readonly string[],
): readonly ConfigFault[] {
  if (more.length === 0) return [];
  const callback = more.some((each) => each.callback === "shared") ? "shared" : "own";
  const all = [{ ...app, id: defaultID, uses: defaultID, callback } as const, ...more];
  const isUsable = (id: string, read: readonly string[]) =>
    faulty.length === 0 || !read.some((name) => isFaulty(nameOf(id, name), faulty));
  const found = jointRules.flatMap(({ option, others = [], begin }) => {
    const find = begin();
    const usable = all.filter(({ id }) => isUsable(id, [option, ...others]));
    return usable.flatMap((connection) => {
      const fault = find(connection);
      return fault === null ? [] : [{ ...namesOf(connection.id, option), ...fault }];
    });
  });
  const named = more.filter(({ id }) => !faulty.includes(`connections.${id}`));
  if (isUsable(defaultID, ["routes", "pagesPrefix"])) found.push(...takenAddresses(app, named));
  return more.some(({ id, uses }) => uses === id) && app.identity === undefined
    ? [...found, needsIdentity]
    : found;
}

/** An address of a connection is not there if another route has it. */
function takenAddresses(
  app: ResolvedSettings,
  more: readonly JudgedConnection[],
): readonly ConfigFault[] {
  const routes = routesOf(app);
  const taken = new Set([routes.login, routes.callback, ...fixedPaths(app)]);
  return more.flatMap((connection) => {
    const { id } = connection;
    const address = addressesOf(connection, routes).find((each) => taken.has(each));
    if (address === undefined) return [];
    const message = `has the address ${address}, which is that of another route`;
    const remedy = "Choose another id, or another path for the route.";
    return [
      {
        option: `connections.${id}`,
        variable: variableOf("connections"),
        seen: id,
        message,
        remedy,
      },
    ];
  });
}

function addressesOf({ id, uses, callback }: JudgedConnection, routes: Routes): readonly string[] {
  const ofClient = [
    ...(callback === "own" ? [callbackPath(routes, id)] : []),
    pathOf(routes.frontchannelLogout, id),
    pathOf(routes.backchannelLogout, id),
  ];
  return [pathOf(routes.login, id), ...(uses === id ? ofClient : [])];
}

function nameOf(id: string, option: string): string {
  return id === defaultID ? option : `connections.${id}.${option}`;
}

function namesOf(id: string, option: string): Pick<ConfigFault, "option" | "variable"> {
  return { option: nameOf(id, option), variable: connectionVariable(id, variableOf(option)) };
}

/** The fault of an app with a second client which has not said how it knows its users. */
export const needsIdentity: ConfigFault = {
  option: "identity",
  variable: variableOf("identity"),
  message:
    "is required with a second client. `user.sub` alone is no key any more: a customer's provider can issue any `sub`",
  remedy:
    "Let the app know its users by identity.id of auth.of(request), then set LATCHKEY_IDENTITY to issuer+sub.",
};
