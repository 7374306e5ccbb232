/** The floor: bare `node:http` that renews the cookie and gives the answer of the measured server. */
import { createServer } from "node:http";
import { cookieRenewal } from "./cookie-renewal.js";
import { templateFromEnvironment } from "./template.js";

const { status, headers, setCookies, body } = templateFromEnvironment();
const renew = cookieRenewal(setCookies);

createServer({ maxHeaderSize: 64 * 1024 }, (request, response) => {
  const answered = [...headers];
  for (const line of renew(request.headers.cookie ?? "")) answered.push("Set-Cookie", line);
  response.writeHead(status, answered);
  response.end(body);
}).listen(Number(process.env["PORT"]), "localhost", () => process.send?.({ ready: true }));
