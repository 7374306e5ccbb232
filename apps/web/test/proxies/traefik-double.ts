import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";

import { parse } from "yaml";

import { exampleFolder, type ProxyPorts, withPorts } from "./example-proxy.ts";
import {
  clientPairsOf,
  type Decision,
  fetchFrom,
  type Pairs,
  startDouble,
  valuesOf,
  without,
} from "./proxy-double.ts";

interface Static {
  readonly entryPoints: {
    readonly web: {
      readonly http: { readonly aliasHeadersStrategy?: "keep" | "delete" | "reject" };
    };
  };
}

interface Dynamic {
  readonly http: {
    readonly routers: Readonly<
      Record<
        string,
        { readonly rule: string; readonly service: string; readonly middlewares?: string[] }
      >
    >;
    readonly middlewares: Readonly<Record<string, Middleware>>;
    readonly services: Readonly<
      Record<
        string,
        { readonly loadBalancer: { readonly servers: readonly { readonly url: string }[] } }
      >
    >;
  };
}

interface Middleware {
  readonly forwardAuth?: ForwardAuth;
  readonly headers?: { readonly customRequestHeaders: Readonly<Record<string, string>> };
}

interface ForwardAuth {
  readonly address: string;
  readonly authResponseHeaders: readonly string[];
  readonly addAuthCookiesToResponse: readonly string[];
}

/**
 * Traefik's ForwardAuth as its documents describe it, with our example. It sends GET with all
 * headers of the client and its own `X-Forwarded-*`. 2xx lets a request pass. Each named header of
 * the answer replaces that of the client, and a missing one removes it. Of the cookies it keeps
 * those with the given names.
 */
export async function startTraefikDouble(
  ports: ProxyPorts,
  change: (text: string) => string = (text) => text,
): Promise<() => Promise<void>> {
  const read = (file: string): unknown =>
    parse(change(withPorts(readFileSync(join(exampleFolder("traefik"), file), "utf8"), ports)));
  const { entryPoints } = read("traefik.yml") as Static;
  const { http } = read("dynamic.yml") as Dynamic;
  const { aliasHeadersStrategy = "keep" } = entryPoints.web.http;
  const portOf = (service: string) =>
    Number(new URL(http.services[service]?.loadBalancer.servers[0]?.url ?? "").port);

  async function decide(incoming: IncomingMessage): Promise<Decision> {
    const all = without(clientPairsOf(incoming), forwardedNames);
    const client =
      aliasHeadersStrategy === "delete" ? all.filter(([name]) => /^[a-z\d-]+$/i.test(name)) : all;
    const router = Object.values(http.routers)
      .toSorted((one, other) => other.rule.length - one.rule.length)
      .find(({ rule }) => matches(rule, incoming.url ?? "", client));
    const { service = "", middlewares = [] } = router ?? {};
    const used = middlewares.map((name) => http.middlewares[name]);
    const changed = used.reduce(
      (pairs, each) => withHeaders(pairs, each?.headers?.customRequestHeaders ?? {}),
      client,
    );
    const check = used.find((each) => each?.forwardAuth !== undefined)?.forwardAuth;
    return check === undefined
      ? { to: portOf(service), headers: changed }
      : decideBy(check, incoming, changed, portOf(service));
  }

  return startDouble(ports.own, decide);
}

/** All parts of a rule; a header matches by any of its values. */
function matches(rule: string, target: string, client: Pairs): boolean {
  return rule.split(" && ").every((part) => {
    const [, matcher = "", first = "", second = ""] =
      /^(\w+)\(`(.*?)`(?:, `(.*)`)?\)$/.exec(part) ?? [];
    if (matcher === "PathPrefix") return target.startsWith(first);
    if (matcher !== "HeaderRegexp") throw new Error(`The double does not know ${part}.`);
    const [pattern, flags] = second.startsWith("(?i)") ? [second.slice(4), "i"] : [second, ""];
    return valuesOf(client, first).some((value) => new RegExp(pattern, flags).test(value));
  });
}

/** An empty value removes a header. */
function withHeaders(pairs: Pairs, custom: Readonly<Record<string, string>>): Pairs {
  const set = Object.entries(custom).filter(([, value]) => value !== "");
  return [...without(pairs, Object.keys(custom)), ...set];
}

/** Those of a client that is not trusted are removed. */
const forwardedNames = ["Method", "Proto", "Host", "Uri", "For", "Port"].map(
  (name) => `X-Forwarded-${name}`,
);

async function decideBy(
  { address, authResponseHeaders, addAuthCookiesToResponse }: ForwardAuth,
  incoming: IncomingMessage,
  client: Pairs,
  to: number,
): Promise<Decision> {
  const { port, pathname, host } = new URL(address);
  const answer = await fetchFrom(Number(port), { method: "GET", path: pathname }, [
    ...without(client, ["Host"]),
    ["Host", host],
    ["X-Forwarded-Method", incoming.method ?? ""],
    ["X-Forwarded-Proto", "http"],
    ["X-Forwarded-Host", incoming.headers.host ?? ""],
    ["X-Forwarded-Uri", incoming.url ?? ""],
  ]);
  if (answer.status === 0) return { status: 500, headers: [], body: Buffer.alloc(0) };
  if (answer.status >= 300) return answer;
  const headers = [
    ...without(client, authResponseHeaders),
    ...answer.headers.filter(([name]) => includesName(authResponseHeaders, name)),
  ];
  const cookies = valuesOf(answer.headers, "Set-Cookie").filter((line) =>
    addAuthCookiesToResponse.includes(line.split("=", 1)[0] ?? ""),
  );
  return {
    to,
    headers,
    changed: (pairs) => [...pairs, ...cookies.map((line) => ["Set-Cookie", line] as const)],
  };
}

function includesName(names: readonly string[], name: string): boolean {
  return names.some((each) => each.toLowerCase() === name.toLowerCase());
}
