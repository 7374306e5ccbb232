import { X509Certificate } from "node:crypto";
import { describe, expect, it } from "vitest";
import { startLoopbackServer } from "./loopback-server.ts";
import { postForm } from "./post-form.ts";
import { createCertificate } from "./certificate.ts";

describe("createCertificate", () => {
  it("returns a self-signed certificate for localhost, valid from yesterday for 31 days", async () => {
    const now = Date.UTC(2026, 10, 20, 12, 0, 0);
    const certificate = new X509Certificate((await createCertificate(now)).cert);
    expect(certificate.checkHost("localhost")).toBe("localhost");
    expect(certificate.checkHost("example.com")).toBeUndefined();
    expect(certificate.checkIP("127.0.0.1")).toBe("127.0.0.1");
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(Date.parse(certificate.validFrom)).toBe(Date.UTC(2026, 10, 19, 12, 0, 0));
    expect(Date.parse(certificate.validTo)).toBe(Date.UTC(2026, 11, 20, 12, 0, 0));
  });

  it("serves https to clients with the certificate only", async () => {
    const certificate = await createCertificate();
    const server = await startLoopbackServer(
      (_request, response) => void response.writeHead(201).end(),
      { certificate },
    );
    const post = (ca: string) => postForm(server.origin, new URLSearchParams(), {}, ca);
    expect((await post(certificate.cert)).statusCode).toBe(201);
    await expect(post((await createCertificate()).cert)).rejects.toThrow("certificate");
    await server.close();
  });
});
