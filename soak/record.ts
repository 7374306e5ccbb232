/** Records sessions and marks of a former version, for a test of this one. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const root = path.join(import.meta.dirname, "..");
const folder = path.join(root, "packages/latchkey/test/former-versions");

const settings = {
  baseURL: "http://localhost:3000",
  issuerBaseURL: "http://localhost:4999",
  clientID: "former",
  clientSecret: "a-client-secret-of-many-characters",
  secret: "a-secret-of-more-than-thirty-two-characters",
};
const at = Date.UTC(2026, 0, 1);

/** @param former - the folder of that version, with its dependencies */
export async function recordFormer(former: string): Promise<void> {
  const source = path.join(former, "packages/latchkey/src");
  const [{ createAuth }, { signedInCookies }, { memoryStore }] = await Promise.all(
    ["index.ts", "testing/index.ts", "stores/memory.ts"].map((file) => import(`${source}/${file}`)),
  );
  const sessions = [];
  for (const stateful of [false, true]) {
    for (const isEnded of [false, true]) {
      const writes: unknown[] = [];
      const store = recording(
        memoryStore(() => at),
        writes,
      );
      const session = { stateful };
      const options = { ...settings, store, session, clock: () => at, log: () => undefined };
      const user = { sub: "ada", name: "Ada", roles: ["reader"] };
      const tokens = { accessToken: "an-access-token", accessTokenExpiresAt: at / 1000 + 3600 };
      const content = { user, ...tokens, refreshToken: "a-refresh-token" };
      const cookie = await signedInCookies({ options, session: content });
      const logout = new Request(`${settings.baseURL}/api/auth/logout`, { headers: { cookie } });
      if (isEnded) await createAuth(options).respond(logout, () => new Response());
      sessions.push({ stateful, isEnded, cookie, writes });
    }
  }
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${path.basename(former)}.json`);
  writeFileSync(file, `${JSON.stringify({ settings, at, sessions }, null, 2)}\n`);
  console.log(`Written: ${path.relative(root, file)}`);
}

const writing = new Set(["set", "add", "swap", "delete", "join", "leave"]);

/** A store with a record of its writes. */
function recording<T extends object>(store: T, writes: unknown[]): T {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...words: unknown[]) => {
        if (writing.has(String(name))) writes.push([name, ...words]);
        return member.apply(target, words);
      };
    },
  });
}
