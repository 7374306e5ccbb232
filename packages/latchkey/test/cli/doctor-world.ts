import { spawn } from "node:child_process";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";

import { createCertificate, type ProviderSettings, startProvider } from "@latchkey/provider";
import { onTestFinished } from "vitest";

import { protect } from "../../src/adapters/node.ts";
import { createAuth, type Settings } from "../../src/index.ts";
import { createProject } from "./project.ts";

export type Front = (
  request: IncomingMessage,
  response: ServerResponse,
  next: RequestListener,
) => void;

/** A running app with its provider and its folder. What is absent is healthy. */
export interface World {
  /** Changes of the variables in `.env.local`; `undefined` takes one away. */
  readonly variables?: (at: Addresses) => Readonly<Record<string, string | undefined>>;
  readonly files?: Readonly<Record<string, string>>;
  /** Of the shell. */
  readonly environment?: (at: Addresses) => Readonly<Record<string, string>>;
  readonly provider?: ProviderSettings;
  /** What stands in front of the provider; its address is then the issuer in `.env.local`. */
  readonly providerFront?: Front;
  /** Settings of the running app, other than those of `.env.local`. */
  readonly running?: (at: Addresses) => Partial<Settings>;
  /** A further instance of the app, which gets every other request. */
  readonly other?: Partial<Settings>;
  readonly front?: Front;
  readonly maxHeaderSize?: number;
  /** Path of the base URL. */
  readonly basePath?: string;
  readonly isHTTPS?: boolean;
  /** Starts a server of its own, such as nginx, for the address of the app. */
  readonly proxy?: (port: number) => Promise<number>;
  /** Does more to the folder, such as git. */
  readonly prepare?: (folder: string) => Promise<void> | void;
  /** The command line; by default `doctor` with the base URL. */
  readonly args?: (at: Addresses) => readonly string[];
}

export interface Addresses {
  readonly baseURL: string;
  /** Of the provider itself. */
  readonly issuer: string;
  /** Of what stands in front of it, if anything does. */
  readonly shownIssuer: string;
}

export const secret = "Jq3Ykq9wXm2Zr4LpV7nBT5dF8sH1gC6a";
export const clientSecret = "Wm8Tc5RfZ2xKqH7vNb4LpDy9";

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, "localhost", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Starts a world, runs the command line in it as a process, and returns what it prints. */
export async function runDoctor(world: World): Promise<{ exitCode: number; stdout: string }> {
  const { certificate, at } = await startWorld(world);
  const variables: Record<string, string | undefined> = {
    LATCHKEY_BASE_URL: at.baseURL,
    LATCHKEY_ISSUER_BASE_URL: at.shownIssuer,
    LATCHKEY_CLIENT_ID: "latchkey",
    LATCHKEY_CLIENT_SECRET: clientSecret,
    LATCHKEY_SECRET: secret,
    ...world.variables?.(at),
  };
  const lines = Object.entries(variables).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );
  const ofVariables = lines.length === 0 ? {} : { ".env.local": lines.join("\n") };
  const folder = createProject({ ...ofVariables, "ca.pem": certificate, ...world.files });
  await world.prepare?.(folder);
  const args = world.args?.(at) ?? ["doctor", at.baseURL];
  return run(folder, args, world.environment?.(at) ?? {});
}

async function startWorld(world: World): Promise<{ at: Addresses; certificate: string }> {
  const { front, maxHeaderSize = 65_536, basePath = "", isHTTPS = false } = world;
  const certificate = isHTTPS ? await createCertificate() : { key: "", cert: "" };
  const server: Server = isHTTPS
    ? createSecureServer({ ...certificate, maxHeaderSize })
    : createServer({ maxHeaderSize });
  const ownPort = await listen(server);
  const port = (await world.proxy?.(ownPort)) ?? ownPort;
  const baseURL = `http${isHTTPS ? "s" : ""}://localhost:${port}${basePath}`;
  const provider = await startProvider({ appURL: baseURL, clientSecret, ...world.provider });
  onTestFinished(() => provider.close());
  const { issuer } = provider;
  const shownIssuer = await frontOf(issuer, world.providerFront);
  const at = { baseURL, issuer, shownIssuer };
  const settings: Settings = {
    secret,
    baseURL,
    issuerBaseURL: shownIssuer,
    clientID: "latchkey",
    clientSecret,
    ...world.running?.(at),
  };
  const others = world.other === undefined ? [] : [{ ...settings, ...world.other }];
  const instances = [settings, ...others].map((each) =>
    protect(
      createAuth({ ...each, log: () => undefined }),
      (_, response) => void response.end("app"),
    ),
  );
  let requests = 0;
  const app: RequestListener = (request, response) =>
    instances[(requests += 1) % instances.length]?.(request, response);
  server.on("request", (request, response) =>
    front === undefined ? app(request, response) : front(request, response, app),
  );
  return { at, certificate: certificate.cert || (provider.caCertificate ?? "") };
}

/** A proxy in front of the provider, which names itself the issuer. */
async function frontOf(issuer: string, front: Front | undefined): Promise<string> {
  if (front === undefined) return issuer;
  const server = createServer();
  const shown = `http://localhost:${await listen(server)}`;
  server.on("request", (request, response) =>
    front(request, response, (received, answer) => void forward(issuer, shown, received, answer)),
  );
  return shown;
}

async function forward(
  issuer: string,
  shown: string,
  { url = "/", method = "GET" }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const answer = await fetch(issuer + url, { method, redirect: "manual" });
  const body = (await answer.text()).replaceAll(issuer, shown);
  const location = answer.headers.get("location");
  response
    .writeHead(answer.status, {
      "Content-Type": answer.headers.get("content-type") ?? "text/plain",
      ...(location === null ? {} : { Location: location }),
    })
    .end(body);
}

const main = path.join(import.meta.dirname, "../../src/cli/main.ts");
const flags = ["--conditions=@latchkey/source", "--disable-warning=ExperimentalWarning"];

async function run(
  cwd: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<{ exitCode: number; stdout: string }> {
  const child = spawn(process.execPath, [...flags, main, ...args], {
    cwd,
    env: { PATH: process.env["PATH"], ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number>((resolve) => {
    child.on("close", (code) => resolve(code ?? -1));
  });
  return { stdout: await text(child.stdout), exitCode: await ended };
}
