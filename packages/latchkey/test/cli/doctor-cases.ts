import { onTestFinished } from "vitest";

import { freePort } from "../servers/free-port.ts";
import { findNginx, startNginx } from "../servers/nginx.ts";
import { findRedis, startRedis } from "../servers/redis.ts";
import { clientSecret, runDoctor, secret, type World } from "./doctor-world.ts";

/** A world with a fault, and the first finding that names it. */
export type Planted = readonly [name: string, expected: RegExp, world: World];

/** The ids of the findings in their order, with their words. */
export async function found(world: World): Promise<readonly string[]> {
  const { stdout } = await runDoctor(world);
  const paragraphs = stdout.split("\n\n").filter((each) => /^(?:FAILED|warning) /.test(each));
  return paragraphs.map((each) => each.replace(/^\w+ +/, "").replaceAll("\n", " "));
}

export const set = (variables: Readonly<Record<string, string | undefined>>) => ({
  variables: () => variables,
});

export const offline: Pick<World, "args"> = { args: () => ["doctor", "--offline"] };
/** No variable at all. */
export const nothingSet = set({
  LATCHKEY_BASE_URL: undefined,
  LATCHKEY_ISSUER_BASE_URL: undefined,
  LATCHKEY_CLIENT_ID: undefined,
  LATCHKEY_CLIENT_SECRET: undefined,
  LATCHKEY_SECRET: undefined,
});

/** Only these variables, as in a shell of a deployment. */
export const check = (variables: Readonly<Record<string, string>>): World => ({
  ...nothingSet,
  environment: () => ({
    LATCHKEY_BASE_URL: "https://app.example.com",
    LATCHKEY_ISSUER_BASE_URL: "https://id.example.com",
    LATCHKEY_CLIENT_ID: "app",
    LATCHKEY_SECRET: secret,
    LATCHKEY_CLIENT_SECRET: clientSecret,
    ...variables,
  }),
  args: () => ["check"],
});

/** What compose.yaml and the web application of the examples set. */
export const deployment = {
  NODE_ENV: "production",
  LATCHKEY_STORE: "redis://redis:6379",
  LATCHKEY_SESSION_STATEFUL: "true",
  LATCHKEY_INSTANCES: "2",
  LATCHKEY_SECRET: "",
  LATCHKEY_CLIENT_SECRET: "",
  LATCHKEY_SECRET_FILE: "/run/secrets/latchkey_secret",
  LATCHKEY_CLIENT_SECRET_FILE: "/run/secrets/latchkey_client_secret",
  LATCHKEY_HEALTH_PORT: "9000",
  LATCHKEY_DRAIN_DELAY: "5",
  LATCHKEY_APP_NAME: "Wiki",
};

export const inFiles = {
  LATCHKEY_SECRET: undefined,
  LATCHKEY_CLIENT_SECRET: undefined,
  LATCHKEY_SECRET_FILE: "secrets/secret",
  LATCHKEY_CLIENT_SECRET_FILE: "secrets/client",
};

export const nginx = findNginx();
export const redis = findRedis();

export async function behindNginx(port: number, settings: readonly string[]): Promise<number> {
  const own = await freePort();
  const running = await startNginx(nginx ?? "", { port: own, target: port, settings });
  onTestFinished(() => running.close());
  return own;
}

export async function redisAddress(...settings: string[]): Promise<string> {
  const running = await startRedis(redis ?? "", { settings: ["--dir", "/tmp", ...settings] });
  onTestFinished(() => running.close());
  return running.url;
}
