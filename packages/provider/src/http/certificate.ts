/** A key and a certificate for it, in PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Creates a self-signed certificate for `localhost`, for development and tests on this machine.
 *
 * @param now milliseconds since the epoch. The certificate is valid from a day before to 30 days
 *   after this time.
 */
export async function createCertificate(now: number = Date.now()): Promise<Certificate> {
  // It loads for 0.1 s, and few providers serve https.
  const { generate } = await import("selfsigned");
  const { private: key, cert } = await generate([{ name: "commonName", value: "localhost" }], {
    keyType: "ec",
    algorithm: "sha256",
    notBeforeDate: new Date(now - dayMs),
    notAfterDate: new Date(now + 30 * dayMs),
    extensions: [
      {
        name: "subjectAltName",
        altNames: [
          { type: 2, value: "localhost" },
          { type: 7, ip: "127.0.0.1" },
          { type: 7, ip: "::1" },
        ],
      },
    ],
  });
  return { key, cert };
}
