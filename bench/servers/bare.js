/** Node's own HTTP server with a ready-made answer: what a request costs before anybody looks at it. */
import { createServer } from "node:http";
import { templateFromEnvironment } from "./template.js";

const { status, headers, setCookies, body } = templateFromEnvironment();
const answered = [...headers, ...setCookies.flatMap((line) => ["Set-Cookie", line])];

createServer({ maxHeaderSize: 64 * 1024 }, (_request, response) => {
  response.writeHead(status, answered);
  response.end(body);
}).listen(Number(process.env["PORT"]), "localhost", () => process.send?.({ ready: true }));
