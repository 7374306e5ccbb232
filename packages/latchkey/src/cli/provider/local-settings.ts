import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { parseEnv } from "node:util";

type Variables = Readonly<Record<string, string | undefined>>;

/** The five variables of an app that signs in at the local provider. */
export interface LocalVariables {
  readonly LATCHKEY_BASE_URL: string;
  readonly LATCHKEY_ISSUER_BASE_URL: string;
  readonly LATCHKEY_CLIENT_ID: string;
  readonly LATCHKEY_CLIENT_SECRET: string;
  readonly LATCHKEY_SECRET: string;
}

/** The folder for secrets, keys and sessions of the local provider. It keeps itself out of git. */
export const dataFolder = ".data/latchkey";

/** Returns the variables of a process that starts in a folder: its own win over those of files. */
export function readVariables(folder: string, environment: Variables): Variables {
  const files = [".env", ".env.local"].map((name) => path.join(folder, name)).filter(existsSync);
  const read = files.map((file) => parseEnv(readFileSync(file, "utf8").replace(/^\uFEFF/, "")));
  return Object.assign({}, ...read, environment);
}

/**
 * Completes the variables of an app with those of the local provider.
 *
 * @param issuer - address of the local provider
 */
export function localVariables(
  variables: Variables,
  issuer: string,
  folder: string,
): LocalVariables {
  const secrets = localSecrets(path.join(folder, dataFolder));
  return {
    LATCHKEY_BASE_URL: variables["LATCHKEY_BASE_URL"] || "http://localhost:3000",
    LATCHKEY_ISSUER_BASE_URL: issuer,
    LATCHKEY_CLIENT_ID: variables["LATCHKEY_CLIENT_ID"] || "latchkey-local",
    LATCHKEY_CLIENT_SECRET: variables["LATCHKEY_CLIENT_SECRET"] || secrets.client,
    LATCHKEY_SECRET: variables["LATCHKEY_SECRET"] || secrets.session,
  };
}

/** The words of a variable that lists several. */
export function wordsOf(text = ""): readonly string[] {
  return text.split(/[\s,]+/).filter((word) => word !== "");
}

/** The scopes that belong to no API. */
const ownScopes = ["openid", "profile", "email", "address", "phone", "offline_access"];

/** The APIs that the app calls, as the local provider takes them: each with all further scopes. */
export function localResources(
  variables: Variables,
): readonly { readonly identifier: string; readonly scopes: readonly string[] }[] {
  const scopes = wordsOf(variables["LATCHKEY_SCOPE"]).filter((each) => !ownScopes.includes(each));
  return wordsOf(variables["LATCHKEY_RESOURCES"]).map((identifier) => ({ identifier, scopes }));
}

interface LocalSecrets {
  readonly session: string;
  readonly client: string;
}

/** Reads the secrets of this folder. The first call writes them, for this account only. */
function localSecrets(folder: string): LocalSecrets {
  const file = path.join(folder, "secrets.json");
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8"));
  const secrets = { session: newSecret(), client: newSecret() };
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, ".gitignore"), "*\n");
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
  return secrets;
}

/** 32 random bytes, as the settings recommend. */
function newSecret(): string {
  return randomBytes(32).toString("base64url");
}
