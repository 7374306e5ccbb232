/**
 * Refuses every connection to another machine in this process. A test with a hidden need for a
 * network fails everywhere.
 */
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import type { LookupFunction, SocketConnectOpts } from "node:net";

type Connect = (this: net.Socket, ...args: unknown[]) => net.Socket;
type Callback = Parameters<LookupFunction>[2];
type LookupResult = Parameters<Callback> extends [unknown, ...infer Found] ? Found : never;

/** The refused hosts. A test that expects a refusal removes its host. */
export const refusedHosts: string[] = [];

/** What the system found for a name of this machine, with the options of a lookup. */
const lookups = new Map<string, LookupResult>();

const connect = net.Socket.prototype.connect as Connect;
const resolveName: LookupFunction = dns.lookup;
const resolvePromise = dns.promises.lookup;

function isLoopback(host: string): boolean {
  if (net.isIP(host) === 0) return /^([^.]+\.)*localhost\.?$/i.test(host);
  return /^((::ffff:)?127\.|::1$)/i.test(host);
}

function refusal(host: string): Error {
  refusedHosts.push(host);
  return new Error(`Tests reach this machine only, not ${host}.`);
}

/** Reads options and listener from any form of arguments of `connect`. */
function optionsOf(args: readonly unknown[]): [options: SocketConnectOpts, listener: unknown] {
  const [first, second, third] = args;
  if (Array.isArray(first)) return [{ ...first[0] }, first[1]]; // Normalized by Node.
  if (typeof first === "object" && first !== null)
    return [{ ...(first as net.TcpNetConnectOpts) }, second];
  if (typeof first === "string" && !/^\d+$/.test(first)) return [{ path: first }, second];
  const port = Number(first);
  return typeof second === "string" ? [{ port, host: second }, third] : [{ port }, second];
}

function guardedConnect(this: net.Socket, ...args: unknown[]): net.Socket {
  const [options, listener] = optionsOf(args);
  const more = typeof listener === "function" ? [listener] : [];
  if ("path" in options && options.path) return connect.call(this, options, ...more);
  const { host = "localhost", lookup } = options as net.TcpNetConnectOpts;
  if (net.isIP(host) !== 0 && !isLoopback(host)) {
    const error = refusal(host);
    process.nextTick(() => this.destroy(error));
    return this;
  }
  return connect.call(this, { ...options, lookup: guardedLookup(lookup) }, ...more);
}

/** A caller may pass a lookup of its own, which can map any name to this machine. */
function guardedLookup(lookup: LookupFunction = dns.lookup): LookupFunction {
  return (host, options, callback) =>
    lookup(host, options, (error, found, family) => {
      const addresses = typeof found === "string" ? [found] : (found ?? []).map((it) => it.address);
      const outside = error ? undefined : addresses.find((address) => !isLoopback(address));
      callback(outside === undefined ? error : refusal(`${host} (${outside})`), found, family);
    });
}

function guardedDns(host: string, ...rest: [...unknown[], Callback]): void {
  const callback = rest.at(-1) as Callback;
  const error = nameError(host);
  if (error) process.nextTick(() => callback(error, []));
  else resolveOnce(host, rest.slice(0, -1), callback);
}

/** A lookup by the system takes longer than most requests of a test, and gives the same. */
function resolveOnce(host: string, options: readonly unknown[], callback: Callback): void {
  const key = JSON.stringify([host, ...options]);
  const known = lookups.get(key);
  if (known) return process.nextTick(callback, null, ...known);
  const keep: Callback = (error, ...found) => {
    if (error === null) lookups.set(key, found);
    callback(error, ...found);
  };
  Reflect.apply(resolveName, dns, [host, ...options, keep]);
}

async function guardedDnsPromise(host: string, ...rest: unknown[]): Promise<unknown> {
  const error = nameError(host);
  if (error) throw error;
  return Reflect.apply(resolvePromise, dns.promises, [host, ...rest]);
}

/**
 * Returns the error for a name without a lookup. Reserved names do not exist (RFC 2606, section 2).
 */
function nameError(host: string): Error | undefined {
  if (net.isIP(host) !== 0 || isLoopback(host)) return undefined;
  if (!/\.(example|invalid|test)\.?$/i.test(host)) return refusal(host);
  const error = new Error(`getaddrinfo ENOTFOUND ${host}`);
  return Object.assign(error, { code: "ENOTFOUND", syscall: "getaddrinfo", hostname: host });
}

Object.assign(net.Socket.prototype, { connect: guardedConnect });
Object.assign(dns, { lookup: guardedDns });
Object.assign(dns.promises, { lookup: guardedDnsPromise });
syncBuiltinESMExports();
