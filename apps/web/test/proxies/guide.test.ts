import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { presets } from "../../src/check/identity-headers.ts";
import { checkVariables } from "../../src/start/settings/check-settings.ts";
import { exampleFolder, findProxy, startProxy } from "./example-proxy.ts";
import { startProxiedApp } from "./proxied-app.ts";

const guide = readFileSync(new URL("../../../../docs/guides/check.md", import.meta.url), "utf8");
const example = readFileSync(join(exampleFolder("nginx"), "nginx.conf"), "utf8");
const linesOf = (text: string) => text.split("\n").map((line) => line.trim());

describe("the guide about the check", () => {
  test("every line for nginx is one of the example that the tests start", () => {
    const [, block = ""] = /```nginx\n([\s\S]*?)```/.exec(guide) ?? [];
    const known = linesOf(example);
    expect(linesOf(block).filter((line) => !known.includes(line))).toEqual([]);
    expect(block).toContain("auth_request");
  });

  test("it names every variable of the check, and every identity header", () => {
    const names = Object.values(presets).flatMap((headers) => Object.values(headers));
    for (const name of [...Object.keys(checkVariables), ...names]) expect(guide).toContain(name);
  });
});

/** The example of oauth2-proxy for nginx, changed as the table of the guide says. */
const moved = `
  server {
    listen 8080;
    proxy_buffer_size 16k;
    proxy_buffers 8 16k;

    location /signin/ {
      proxy_pass http://127.0.0.1:3000;
      proxy_set_header Host $http_host;
    }
    location = /latchkey/check {
      internal;
      proxy_pass http://127.0.0.1:3001/check/nginx;
      proxy_set_header X-Forwarded-Method $request_method;
      proxy_set_header X-Forwarded-Host $http_host;
      proxy_set_header X-Forwarded-Uri $request_uri;
      proxy_set_header Content-Length "";
      proxy_pass_request_body off;
    }
    location / {
      auth_request /latchkey/check;
      error_page 401 403 = @refused;

      auth_request_set $user $upstream_http_x_auth_request_user;
      auth_request_set $email $upstream_http_x_auth_request_email;
      proxy_set_header X-User $user;
      proxy_set_header X-Email $email;

      auth_request_set $token $upstream_http_x_auth_request_access_token;
      proxy_set_header X-Access-Token $token;

      auth_request_set $auth_cookie $upstream_http_set_cookie;
      add_header Set-Cookie $auth_cookie always;

      proxy_pass http://127.0.0.1:9000;
    }
    ${/location @refused \{[\s\S]*?\n {4}\}/.exec(example)?.[0]}
  }`;

test.skipIf(findProxy("nginx") === null)(
  "the example of oauth2-proxy for nginx works with the check, after the changes of the guide",
  async () => {
    const change = (text: string) => {
      const server = text.slice(text.indexOf("  server {"), text.lastIndexOf("}"));
      return text.includes("auth_request") ? text.replace(server, () => `${moved}\n`) : text;
    };
    const world = await startProxiedApp((ports) => startProxy("nginx", ports, change), {
      LATCHKEY_CHECK_HEADERS: "x-auth-request",
      LATCHKEY_CHECK_ACCESS_TOKEN: "true",
    });
    const accessTokenExpiresAt = Math.floor(Date.now() / 1000) + 3600;
    const cookie = await world.app.signIn({ accessToken: "a-token", accessTokenExpiresAt });
    const visitor = await world.send("/page?a=1", { headers: { accept: "text/html" } });
    const user = await world.send("/page", {
      headers: { cookie, "X-User": "root", "X-Access-Token": "forged" },
    });
    await world.close();
    expect([visitor.status, visitor.headers.location]).toEqual([
      302,
      `${world.url}/signin/api/auth/login?returnTo=${encodeURIComponent(`${world.url}/page?a=1`)}`,
    ]);
    expect(user.status).toBe(200);
    expect(world.received[0]?.headers).toMatchObject({
      "x-user": "person-ada",
      "x-email": "ada@example.com",
      "x-access-token": "a-token",
    });
  },
);
