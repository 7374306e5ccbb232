import { describe, expect, test } from "vitest";

import { commitAll, createProject, git, latchkey, readFiles, writeFiles } from "./project.ts";

const move = (folder: string, ...args: string[]) =>
  latchkey(folder, ["move", "--no-install", ...args]);

const manifestOf = (auth0: string, next: string) =>
  JSON.stringify({ name: "app", dependencies: { "@auth0/nextjs-auth0": auth0, next } });

/** A file after the move of an app of version 4, in which it stands beside the client. */
async function moved(path: string, code: string, more: Readonly<Record<string, string>> = {}) {
  const folder = createProject({ ...app4, [path]: code, ...more });
  const outcome = await move(folder, "--yes");
  return { ...outcome, text: readFiles(folder)[path], files: readFiles(folder) };
}

const app4 = {
  "package.json": manifestOf("^4.30.0", "^16.0.0"),
  "lib/auth0.ts": `import { Auth0Client } from "@auth0/nextjs-auth0/server";

export const auth0 = new Auth0Client();
`,
  "app/page.tsx": "export default () => null;\n",
};

describe("an app with nextjs-auth0 4", () => {
  test("gets its sign-in in the module of the client", async () => {
    const { files } = await moved("proxy.ts", "export {};\n", { "app/shop/page.tsx": "" });
    expect(files["lib/auth0.ts"]).toMatch(
      /^import \{ nextjsAuth0 \} from "latchkey\/moving";\nimport \{ latchkey \} from "latchkey\/next";\n\nexport const \{ auth, initialSession, proxy, route \} = latchkey\(\{/,
    );
    expect(files["lib/auth0.ts"]).toContain('publicPaths: ["/", "/shop", "/shop/"],');
    expect(files["lib/auth0.ts"]).toMatch(
      /secret: process\.env\.AUTH0_SECRET, until: "\d{4}-\d\d-\d\d"/,
    );
  });

  test("keeps the options that have a counterpart, and lists the others", async () => {
    const { files, stdout } = await moved(
      "lib/auth0.ts",
      `import { Auth0Client } from "@auth0/nextjs-auth0/server";

export const auth0 = new Auth0Client({
  domain: process.env.AUTH0_DOMAIN!,
  authorizationParameters: { scope: "openid email", audience: "https://api.example" },
  session: { rolling: true, inactivityDuration: 3600 },
  signInReturnToPath: "/start",
});
`,
    );
    expect(files["lib/auth0.ts"]).toContain(
      `  scope: "openid email",
  authorizationParams: { audience: "https://api.example" },
  session: { rolling: true, rollingDuration: 3600 },
});
`,
    );
    expect(stdout).toContain("lib/auth0.ts:7  the option signInReturnToPath was removed");
    expect(stdout).not.toContain("domain");
  });

  test.each([
    [
      "a session",
      "const session = await auth0.getSession();",
      "const session = (await auth()).session;",
    ],
    [
      "a user",
      "const user = (await auth0.getSession())?.user;",
      "const user = ((await auth()).session)?.user;",
    ],
    [
      "a token",
      "const { token } = await auth0.getAccessToken();",
      "const token = await (await auth()).accessToken();",
    ],
    [
      "a token of another name",
      "const { token: bearer } = await auth0.getAccessToken();",
      "const bearer = await (await auth()).accessToken();",
    ],
    [
      "a token in an object",
      "const found = await auth0.getAccessToken();",
      "const found = ({ token: await (await auth()).accessToken() });",
    ],
  ])("reads %s", async (_, before, after) => {
    const around = (name: string, line: string) =>
      `import { ${name} } from "@/lib/auth0";\n\nexport async function GET() {\n  ${line}\n}\n`;
    const { text } = await moved("app/api/x/route.ts", around("auth0", before));
    expect(text).toBe(around("auth", after));
  });

  test("checks a guarded page in the page", async () => {
    const { text, stdout } = await moved(
      "app/private/page.tsx",
      `import { auth0 } from "../../lib/auth0";

export default auth0.withPageAuthRequired(function Page() {
  return <h1>Private</h1>;
}, { returnTo: "/private" });
`,
    );
    expect(text).toBe(`import { auth } from "../../lib/auth0";

export default async function Page() {
  (await auth()).require();
  return <h1>Private</h1>;
}
`);
    expect(stdout).not.toContain("Left to you");
  });

  test("checks a guarded API in its handler", async () => {
    const { text } = await moved(
      "app/api/x/route.ts",
      `import { auth0 } from "@/lib/auth0";

export const GET = auth0.withApiAuthRequired(async (request: Request) => {
  return Response.json({});
});
`,
    );
    expect(text).toBe(`import { auth, route } from "@/lib/auth0";

export const GET = route(async (request: Request) => {
  (await auth()).require();
  return Response.json({});
});
`);
  });

  test("keeps a name of its own apart from ours", async () => {
    const { text } = await moved(
      "app/x/page.tsx",
      `import { auth0 } from "@/lib/auth0";

const auth = 1;
export const session = async () => await auth0.getSession();
`,
    );
    expect(text).toContain('import { auth as authOfLatchkey } from "@/lib/auth0";');
    expect(text).toContain("async () => (await authOfLatchkey()).session;");
  });

  test.each([
    ["^16.0.0", "proxy.ts", 'export { proxy } from "./lib/auth0";'],
    ["~15.5.0", "middleware.ts", 'export { proxy as middleware } from "./lib/auth0";'],
  ])("has its proxy for Next.js %s in %s", async (next, path, line) => {
    const { files, exitCode } = await moved(
      "middleware.ts",
      `import type { NextRequest } from "next/server";
import { auth0 } from "./lib/auth0";

export async function middleware(request: NextRequest) {
  return await auth0.middleware(request);
}

export const config = { matcher: ["/((?!_next/static).*)"] };
`,
      { "package.json": manifestOf("4.30.0", next) },
    );
    expect(exitCode).toBe(0);
    expect(Object.keys(files).filter((each) => /^(?:proxy|middleware)/.test(each))).toEqual([path]);
    const runtime = path === "proxy.ts" ? "" : ' runtime: "nodejs",';
    expect(files[path]).toBe(
      `${line}\n\nexport const config = {${runtime} matcher: ["/((?!_next/static).*)"] };\n`,
    );
  });

  test("lists a proxy with logic of its own, and leaves it as it is", async () => {
    const code = `import { auth0 } from "./lib/auth0";

export async function proxy(request: Request) {
  if (!(await auth0.getSession())) return Response.redirect("/auth/login");
  return auth0.middleware(request);
}
`;
    const { text, stdout } = await moved("proxy.ts", code);
    expect(text).toBe(code);
    expect(stdout).toContain("proxy.ts:3  has logic of its own: put it into protect()");
    expect(stdout).toContain("/moving/nextjs-auth0-4#a-proxy-with-logic-of-its-own");
  });

  test("lists by line what it cannot do", async () => {
    const { stdout } = await moved(
      "app/x/route.ts",
      `import { auth0 } from "@/lib/auth0";

export async function GET(request: Request) {
  await auth0.updateSession({ user: { sub: "a" } });
  const session = await auth0.getSession();
  await auth0.getAccessToken({ refresh: true });
  give(auth0);
  return Response.json(session?.tokenSet);
}
`,
    );
    const listed = [...stdout.matchAll(/route\.ts:(\d+) {2}(.*)/g)].map((each) =>
      each.slice(1).join(" "),
    );
    expect(listed).toEqual([
      "4 auth0.updateSession in this form",
      "6 auth0.getAccessToken in this form",
      "7 auth0 is used in another way",
      "8 a session has no tokenSet: call accessToken()",
    ]);
  });

  test("lists mocks and types of the former library by line", async () => {
    const { stdout, text } = await moved(
      "app/page.test.ts",
      `import type { User } from "@auth0/nextjs-auth0/types";
vi.mock("@auth0/nextjs-auth0", () => ({}));
`,
    );
    expect(stdout).toContain("app/page.test.ts:1  @auth0/nextjs-auth0/types has no counterpart");
    expect(stdout).toContain("app/page.test.ts:2  @auth0/nextjs-auth0 has no counterpart");
    expect(text).toContain('vi.mock("@auth0/nextjs-auth0"');
  });

  test("below src, with an alias or a relative path, is moved in the same way", async () => {
    const folder = createProject({
      "package.json": app4["package.json"],
      "src/lib/auth0.ts": app4["lib/auth0.ts"],
      "src/app/shop/page.tsx":
        'import { auth0 } from "@/lib/auth0";\nexport const a = async () => await auth0.getSession();\n',
      "src/proxy.ts":
        'import { auth0 } from "./lib/auth0";\nexport const proxy = 1;\nexport const b = async () => await auth0.getSession();\n',
      "src/app/x.ts":
        'import { auth0 } from "../lib/auth0";\nexport const c = async () => await auth0.getSession();\n',
    });
    await move(folder, "--yes");
    const files = readFiles(folder);
    expect(files["src/lib/auth0.ts"]).toContain('publicPaths: ["/", "/shop", "/shop/"],');
    expect(files["src/app/shop/page.tsx"]).toContain("(await auth()).session;");
    expect(files["src/app/x.ts"]).toContain('import { auth } from "../lib/auth0";');
  });

  test("gets the provider that its hooks need", async () => {
    const { text, files } = await moved(
      "app/layout.tsx",
      `export default function Layout({ children }) {
  return <html><body>{children}</body></html>;
}
`,
      {
        "app/hello.tsx": `"use client";
import { useUser } from "@auth0/nextjs-auth0";
export const Hello = () => {
  const { user, invalidate } = useUser();
  return <p onClick={invalidate}>{user?.name}</p>;
};
`,
      },
    );
    expect(text).toBe(`import { UserProvider } from "@latchkey/nextjs-auth0/client";
export default function Layout({ children }) {
  return <html><body><UserProvider profileUrl="/auth/me" loginUrl="/auth/login">{children}</UserProvider></body></html>;
}
`);
    expect(files["app/hello.tsx"]).toContain(
      "const { user, checkSession: invalidate } = useUser();",
    );
  });

  test("gets new names in its files of variables, and a secret beside the former one", async () => {
    const { files, stdout } = await moved("app/x.ts", "", {
      ".env.local": `# Auth0\r\nAUTH0_DOMAIN='tenant.eu.auth0.com'\r\nAUTH0_SECRET=former # openssl\r\nAUTH0_AUDIENCE=https://api.example\r\nAPP_BASE_URL=https://app.example\r\nOTHER=1\r\n`,
    });
    const fresh = /\r\nLATCHKEY_SECRET=([\w+/=']+)\r\n/.exec(files[".env.local"] ?? "")?.[1] ?? "";
    expect(fresh.length).toBeGreaterThan(40);
    expect(files[".env.local"]?.replace(fresh, "fresh")).toBe(
      `# Auth0\r\nLATCHKEY_ISSUER_BASE_URL=https://tenant.eu.auth0.com/\r\nAUTH0_SECRET=former\r\nLATCHKEY_SECRET=fresh\r\nLATCHKEY_AUTHORIZATION_PARAMS=audience=https://api.example\r\nLATCHKEY_BASE_URL=https://app.example\r\nOTHER=1\r\n`,
    );
    expect(stdout).not.toContain("former");
  });

  test("keeps line ends, comments and what it does not know", async () => {
    const before =
      "// é\r\nimport { auth0 } from '@/lib/auth0'\r\n\r\nexport const x = async () => await auth0.getSession() // ü\r\n";
    const { text } = await moved("app/x.ts", before);
    expect(text).toBe(
      "// é\r\nimport { auth } from '@/lib/auth0'\r\n\r\nexport const x = async () => (await auth()).session // ü\r\n",
    );
  });

  test("is left alone without a client that it exports by name", async () => {
    const { exitCode, stderr, files } = await moved(
      "lib/auth0.ts",
      'import { Auth0Client } from "@auth0/nextjs-auth0/server";\nexport default new Auth0Client();\n',
    );
    expect(exitCode).toBe(2);
    expect(stderr).toContain("moving/nextjs-auth0-4");
    expect(files["lib/auth0.ts"]).toContain("export default new Auth0Client();");
  });

  test("is changed a second time by nothing", async () => {
    const folder = createProject(app4);
    await move(folder, "--yes");
    const first = readFiles(folder);
    writeFiles(folder, {
      "package.json": manifestOf("4.30.0", "16.0.0").replace("@auth0/nextjs-auth0", "latchkey"),
    });
    const { exitCode, stderr } = await move(folder, "--yes");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("@auth0/nextjs-auth0 is not among the dependencies");
    expect(readFiles(folder)["lib/auth0.ts"]).toBe(first["lib/auth0.ts"]);
  });
});

describe("an app with nextjs-auth0 3", () => {
  const app3 = {
    "package.json": manifestOf("^3.7.0", "^16.0.0"),
    "app/page.js": `import { getSession } from '@auth0/nextjs-auth0'
import { UserProvider } from '@auth0/nextjs-auth0/client'
export const id = process.env.AUTH0_CLIENT_ID
export const runtime = 'edge'
`,
    "middleware.js": `import { withMiddlewareAuthRequired } from '@auth0/nextjs-auth0/edge'

export const middleware = withMiddlewareAuthRequired()
export const config = { matcher: ['/private/:path*'] }
`,
    ".env.local":
      "AUTH0_SECRET=one\nAUTH0_ISSUER_BASE_URL=https://tenant.auth0.com\nAUTH0_BASE_URL=app.example\nAUTH0_AUDIENCE=api\nAUTH0_COOKIE_DOMAIN=example\n",
  };

  test("has other imports and names, and the same code", async () => {
    const folder = createProject(app3);
    expect(await move(folder, "--yes")).toMatchObject({ exitCode: 0, stderr: "" });
    const files = readFiles(folder);
    expect(files["app/page.js"]).toBe(`import { getSession } from '@latchkey/nextjs-auth0'
import { UserProvider } from '@latchkey/nextjs-auth0/client'
export const id = process.env.LATCHKEY_CLIENT_ID
`);
    expect(files[".env.local"]).toBe(
      "LATCHKEY_SECRET=one\nLATCHKEY_ISSUER_BASE_URL=https://tenant.auth0.com/\nLATCHKEY_BASE_URL=https://app.example\nAUTH0_AUDIENCE=api\nLATCHKEY_AUTHORIZATION_PARAMS=audience=api\nLATCHKEY_SESSION_COOKIE_DOMAIN=example\n",
    );
    expect(files["middleware.js"]).toBeUndefined();
    expect(files["proxy.js"]).toContain("export const proxy = withMiddlewareAuthRequired()");
  });

  test("has a list of what is left out, by line", async () => {
    const folder = createProject({
      ...app3,
      "app/x.js": `import { generateSessionCookie } from "@auth0/nextjs-auth0/testing";
export const url = process.env.NEXT_PUBLIC_AUTH0_PROFILE;
`,
    });
    const { stdout } = await move(folder, "--yes");
    expect(stdout).toContain("app/x.js:1  @auth0/nextjs-auth0/testing has no counterpart");
    expect(stdout).toContain(
      "app/x.js:2  NEXT_PUBLIC_AUTH0_PROFILE becomes a prop of UserProvider",
    );
    expect(stdout).toContain("guides/from-nextjs-auth0#what-you-check-yourself");
  });
});

test("a dry run prints a diff that git applies, without a secret, and changes nothing", async () => {
  const folder = createProject({
    ...app4,
    "middleware.ts": `import { auth0 } from "./lib/auth0";\nexport const middleware = () => 1;\nexport async function proxy(r) {\n  return auth0.middleware(r);\n}\n`,
    ".env.local": "AUTH0_SECRET=do-not-show\n",
    ".gitignore": ".env.local\n",
  });
  commitAll(folder);
  const before = readFiles(folder);
  const { stdout } = await move(folder, "--dry-run");
  expect(stdout).not.toContain("do-not-show");
  expect(readFiles(folder)).toEqual(before);
  const [diff = ""] = stdout.split("\nLeft to you");
  writeFiles(folder, { "move.diff": diff.replace(/^#.*\n/gm, "").trimEnd() + "\n" });
  git(folder, "apply", "move.diff");
  expect(readFiles(folder)["lib/auth0.ts"]).toContain("latchkey/next");
  expect(readFiles(folder)["middleware.ts"]).toBeUndefined();
});

test("a file with changes without a commit stops the move before the first write", async () => {
  const folder = createProject(app4);
  commitAll(folder);
  writeFiles(folder, { "lib/auth0.ts": `${app4["lib/auth0.ts"]}// more\n` });
  const before = readFiles(folder);
  const { exitCode, stderr } = await move(folder, "--yes");
  expect(exitCode).toBe(2);
  expect(stderr).toContain("lib/auth0.ts has changes without a commit");
  expect(readFiles(folder)).toEqual(before);
});

test("a file that cannot be read is listed, and the others are moved", async () => {
  const { stdout, files } = await moved("app/broken.ts", "const auth0 = ;\n");
  expect(stdout).toContain("app/broken.ts:1  could not be read");
  expect(files["lib/auth0.ts"]).toContain("latchkey/next");
});
