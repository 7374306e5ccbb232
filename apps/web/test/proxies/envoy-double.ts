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

interface Matchers {
  readonly patterns: readonly {
    readonly exact?: string;
    readonly prefix?: string;
    readonly safe_regex?: { readonly regex: string };
  }[];
}

interface ExtAuthz {
  readonly failure_mode_allow: boolean;
  readonly allowed_headers: Matchers;
  readonly http_service: {
    readonly server_uri: { readonly cluster: string };
    readonly path_prefix: string;
    readonly authorization_response: {
      readonly allowed_upstream_headers: Matchers;
      readonly allowed_client_headers?: Matchers;
      readonly allowed_client_headers_on_success: Matchers;
    };
  };
}

interface Route {
  readonly match: { readonly prefix: string };
  readonly route: { readonly cluster: string };
  readonly typed_per_filter_config?: object;
}

interface Manager {
  readonly common_http_protocol_options?: { readonly headers_with_underscores_action?: string };
  readonly upgrade_configs?: readonly { readonly upgrade_type: string }[];
  readonly http_filters: readonly { readonly name: string; readonly typed_config: unknown }[];
  readonly route_config: {
    readonly virtual_hosts: readonly { readonly routes: readonly Route[] }[];
  };
}

interface Bootstrap {
  readonly static_resources: {
    readonly listeners: readonly {
      readonly filter_chains: readonly {
        readonly filters: readonly { readonly typed_config: Manager }[];
      }[];
    }[];
    readonly clusters: readonly Cluster[];
  };
}

interface Cluster {
  readonly name: string;
  readonly load_assignment: {
    readonly endpoints: readonly {
      readonly lb_endpoints: readonly {
        readonly endpoint: {
          readonly address: { readonly socket_address: { readonly port_value: number } };
        };
      }[];
    }[];
  };
}

/**
 * Envoy's ext_authz over HTTP as its documents describe it, with our example. It sends the
 * original method and a prefix before the path, and of the headers only Host, Authorization and
 * the allowed ones. Only 200 lets a request pass. An allowed header of the answer replaces that of
 * the client; `x-envoy-auth-headers-to-remove` names others to remove.
 */
export async function startEnvoyDouble(
  ports: ProxyPorts,
  change: (text: string) => string = (text) => text,
): Promise<() => Promise<void>> {
  const file = readFileSync(join(exampleFolder("envoy"), "envoy.yaml"), "utf8");
  const { static_resources: resources } = parse(change(withPorts(file, ports))) as Bootstrap;
  const manager = resources.listeners[0]?.filter_chains[0]?.filters[0]?.typed_config;
  if (manager === undefined) throw new Error("The example has no connection manager.");
  const filter = manager.http_filters.find(({ name }) => name.endsWith("ext_authz"));
  const check = filter?.typed_config as ExtAuthz;
  const routes = manager.route_config.virtual_hosts[0]?.routes ?? [];
  const upgrades = (manager.upgrade_configs ?? []).map((each) => each.upgrade_type);
  const dropsUnderscores =
    manager.common_http_protocol_options?.headers_with_underscores_action === "DROP_HEADER";
  const portOf = (name: string): number => {
    const cluster = resources.clusters.find((each) => each.name === name);
    const { endpoint } = cluster?.load_assignment.endpoints[0]?.lb_endpoints[0] ?? {};
    return endpoint?.address.socket_address.port_value ?? 0;
  };

  async function decide(incoming: IncomingMessage): Promise<Decision> {
    const lowerCase = clientPairsOf(incoming).map(
      ([name, value]) => [name.toLowerCase(), value] as const,
    );
    const client = withoutH2c(
      dropsUnderscores ? lowerCase.filter(([name]) => !name.includes("_")) : lowerCase,
    );
    const upgrade = valuesOf(client, "upgrade").join();
    if (upgrade !== "" && !upgrades.includes(upgrade.toLowerCase()))
      return { status: 403, headers: [], body: Buffer.from("") };
    const route = routes.find(({ match }) => incoming.url?.startsWith(match.prefix));
    const to = portOf(route?.route.cluster ?? "");
    if (route?.typed_per_filter_config !== undefined) return { to, headers: client };
    return decideBy(check, portOf(check.http_service.server_uri.cluster), incoming, client, to);
  }

  return startDouble(ports.own, decide);
}

/** Its codec of HTTP/1 removes this upgrade, whatever is configured. */
function withoutH2c(client: Pairs): Pairs {
  return client.filter(([name, value]) => name !== "upgrade" || value.toLowerCase() !== "h2c");
}

async function decideBy(
  { failure_mode_allow: isOpen, allowed_headers: allowed, http_service: service }: ExtAuthz,
  port: number,
  { method, url, headers }: IncomingMessage,
  client: Pairs,
  to: number,
): Promise<Decision> {
  const { authorization_response: response, path_prefix: prefix } = service;
  const asked = client.filter(
    ([name]) => name === "host" || name === "authorization" || matches(allowed, name),
  );
  const own = [
    ["content-length", "0"],
    ["x-forwarded-for", headers.host ?? ""],
  ] as const;
  const answer = await fetchFrom(port, { method, path: `${prefix}${url}` }, [...asked, ...own]);
  if (answer.status === 0 && isOpen) return { to, headers: client };
  if (answer.status === 0) return { status: 503, headers: [], body: Buffer.alloc(0) };
  if (answer.status !== 200) return refused(answer, response.allowed_client_headers);
  const set = answer.headers.filter(([name]) => matches(response.allowed_upstream_headers, name));
  const removed = valuesOf(answer.headers, "x-envoy-auth-headers-to-remove").flatMap((line) =>
    line.split(/,\s*/),
  );
  const added = answer.headers.filter(([name]) =>
    matches(response.allowed_client_headers_on_success, name),
  );
  const replaced = [...removed, ...set.map(([name]) => name)];
  return {
    to,
    headers: [...without(client, replaced), ...set],
    changed: (pairs) => [...pairs, ...added],
  };
}

function refused(
  answer: { readonly status: number; readonly headers: Pairs; readonly body: Buffer },
  allowed: Matchers | undefined,
): Decision {
  const headers =
    allowed === undefined
      ? answer.headers
      : answer.headers.filter(([name]) => matches(allowed, name));
  return { ...answer, headers };
}

function matches({ patterns }: Matchers, given: string): boolean {
  const name = given.toLowerCase();
  return patterns.some(
    ({ exact, prefix, safe_regex: pattern }) =>
      name === exact ||
      (prefix !== undefined && name.startsWith(prefix)) ||
      (pattern !== undefined && new RegExp(`^(?:${pattern.regex})$`).test(name)),
  );
}
