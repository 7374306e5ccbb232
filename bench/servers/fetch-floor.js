/** The floor once more, as a fetch handler behind @hono/node-server: what the interface alone adds to it. */
import { serve } from "@hono/node-server";
import { cookieRenewal } from "./cookie-renewal.js";
import { templateFromEnvironment } from "./template.js";

const { status, headers, setCookies, body } = templateFromEnvironment();
const renew = cookieRenewal(setCookies);
const pairs = headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1] ?? ""]] : []));
const plain = Object.fromEntries(pairs);

/** @param {Request} request */
function answer(request) {
  const lines = renew(request.headers.get("cookie") ?? "");
  const [only, ...more] = lines;
  const answered =
    more.length === 0 && only !== undefined
      ? { ...plain, "Set-Cookie": only }
      : [...pairs, ...lines.map((line) => ["Set-Cookie", line])];
  return new Response(body, { status, headers: answered });
}

serve(
  {
    fetch: answer,
    hostname: "localhost",
    port: Number(process.env["PORT"]),
    serverOptions: { maxHeaderSize: 64 * 1024 },
  },
  () => process.send?.({ ready: true }),
);
