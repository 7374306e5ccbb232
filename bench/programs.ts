/** Where a server answers what the cases ask for. */
export interface Paths {
  /** A page and an API that only signed-in people may see. */
  readonly page: string;
  readonly api: string;
  /** The claims of who is signed in, as JSON. */
  readonly me: string;
  readonly login: string;
  readonly callback: string;
}

/** A server that is measured. */
export interface Program {
  /** Within the snapshot of this run. */
  readonly file: string;
  readonly paths: Paths;
  /** Beside what all are given: provider, client, address, secret. `<folder>` is a folder of this run. */
  readonly env?: Readonly<Record<string, string>>;
}

const server = (name: string) => `servers/${name}.js`;
const webApplication = "web/dist/server/main.js";

const ourPaths: Paths = {
  page: "/sample",
  api: "/api/sample",
  me: "/api/auth/me",
  login: "/api/auth/login",
  callback: "/api/auth/callback",
};
const peerPaths: Paths = {
  page: "/sample",
  api: "/api/sample",
  me: "/api/me",
  login: "/login",
  callback: "/callback",
};

const ours = (env: Program["env"] = {}): Program => ({
  file: server("latchkey"),
  paths: ourPaths,
  env,
});
const web = (env: Program["env"] = {}): Program => ({
  file: webApplication,
  paths: ourPaths,
  env: { LATCHKEY_BACKCHANNEL_LOGOUT: "true", ...env },
});
const withMarks = (count: number) =>
  ours({ LATCHKEY_STORE: marksStore(count), LATCHKEY_BACKCHANNEL_LOGOUT: "true" });

/** The address of the store that holds so many ended marks. */
export function marksStore(count: number): string {
  return `sqlite:<folder>/${count}-marks.db`;
}

/** The secret that every session is sealed with; where a server has several, it is the oldest. */
export const secret = "a-secret-of-the-benchmark-0123456789abcdefghij";
const newerSecrets = [1, 2, 3, 4].map((number) => `${secret}-newer-${number}`);
const withSecrets = (count: number) =>
  ours({ LATCHKEY_SECRET: [...newerSecrets.slice(0, count - 1), secret].join(" ") });

/** Every server, by the name that the table calls it. */
export const programs = {
  latchkey: ours(),
  "latchkey, renewAfter": ours({ LATCHKEY_SESSION_RENEW_AFTER: "3600" }),
  "web application": web({ LATCHKEY_STORE: "sqlite:<folder>/web.db" }),
  "web application, renewAfter": web({
    LATCHKEY_STORE: "sqlite:<folder>/web-renew-after.db",
    LATCHKEY_SESSION_RENEW_AFTER: "3600",
  }),
  "express-openid-connect": { file: server("express-openid-connect"), paths: peerPaths },
  "@hono/oidc-auth": {
    file: server("hono-oidc-auth"),
    paths: { ...peerPaths, login: "/sample" },
  },
  "better-auth": {
    file: server("better-auth"),
    paths: { ...peerPaths, me: "/api/auth/get-session", callback: "/api/auth/callback/bench" },
  },
  "1 secret": withSecrets(1),
  "2 secrets": withSecrets(2),
  "3 secrets": withSecrets(3),
  "4 secrets": withSecrets(4),
  "5 secrets": withSecrets(5),
  "0 marks": withMarks(0),
  "1,000 marks": withMarks(1000),
  "1,000,000 marks": withMarks(1_000_000),
} as const satisfies Readonly<Record<string, Program>>;

export type ProgramName = keyof typeof programs;

/** Whether a name in a comparison is that of a server here; floors and others are not. */
export function isProgramName(name: string): name is ProgramName {
  return Object.hasOwn(programs, name);
}
