import { X509Certificate } from "node:crypto";
import { createServer, get } from "node:https";
import { describe, expect, it } from "vitest";
import { closeServer, listenOnLoopback } from "./loopback-server.ts";
import { selfSignedCertificate } from "./self-signed-certificate.ts";

describe("selfSignedCertificate", () => {
  it("is for localhost, signed by itself, and good from yesterday on for a month", () => {
    const now = Date.UTC(2026, 10, 20, 12, 0, 0);
    const certificate = new X509Certificate(selfSignedCertificate(now).cert);
    expect(certificate.checkHost("localhost")).toBe("localhost");
    expect(certificate.checkHost("example.com")).toBeUndefined();
    expect(certificate.checkIP("127.0.0.1")).toBe("127.0.0.1");
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(Date.parse(certificate.validFrom)).toBe(Date.UTC(2026, 10, 19, 12, 0, 0));
    expect(Date.parse(certificate.validTo)).toBe(Date.UTC(2026, 11, 20, 12, 0, 0));
  });

  it("serves https to a client that trusts it", async () => {
    const certificate = selfSignedCertificate();
    const server = createServer(certificate, (_request, response) => void response.end("hello"));
    const port = await listenOnLoopback(server, 0);
    const status = await new Promise((resolve, reject) => {
      get({ host: "localhost", port, ca: certificate.cert, agent: false }, (response) =>
        resolve(response.resume().statusCode),
      ).on("error", reject);
    });
    expect(status).toBe(200);
    await closeServer(server);
  });
});
