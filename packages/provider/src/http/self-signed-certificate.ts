import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** A key and a certificate for it, in PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

const dayMs = 24 * 60 * 60 * 1000;
const ecdsaWithSHA256 = sequence(objectID(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));

/**
 * Makes a self-signed certificate for `localhost`, for development and tests on this machine.
 *
 * @param now milliseconds since the epoch. The certificate is valid from a day before to 30 days
 *   after this time.
 */
export function selfSignedCertificate(now: number = Date.now()): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(set(sequence(objectID(0x55, 0x04, 0x03), tagged(0x0c, "localhost"))));
  const signed = sequence(
    tagged(0xa0, tagged(0x02, Buffer.of(2))),
    tagged(0x02, Buffer.concat([Buffer.of(1), randomBytes(15)])),
    ecdsaWithSHA256,
    name,
    sequence(utcTime(now - dayMs), utcTime(now + 30 * dayMs)),
    name,
    publicKey.export({ format: "der", type: "spki" }),
    tagged(0xa3, sequence(alternativeNames())),
  );
  const signature = sign("sha256", signed, privateKey);
  const certificate = sequence(signed, ecdsaWithSHA256, bitString(signature));
  return {
    key: privateKey.export({ format: "pem", type: "pkcs8" }).toString(),
    cert: pem(certificate),
  };
}

/** The subject alternative names: host name and two addresses (RFC 5280, section 4.2.1.6). */
function alternativeNames(): Buffer {
  const ipv6 = Buffer.alloc(16);
  ipv6[15] = 1;
  const names = sequence(
    tagged(0x82, "localhost"),
    tagged(0x87, Buffer.of(127, 0, 0, 1)),
    tagged(0x87, ipv6),
  );
  return sequence(objectID(0x55, 0x1d, 0x11), tagged(0x04, names));
}

/** One value in DER (X.690, section 8.1): tag, length, contents. */
function tagged(tag: number, ...contents: readonly (Buffer | string)[]): Buffer {
  const body = Buffer.concat(contents.map((part) => Buffer.from(part)));
  const { length } = body;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), body]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, ...parts);
}

function set(...parts: readonly Buffer[]): Buffer {
  return tagged(0x31, ...parts);
}

function objectID(...bytes: readonly number[]): Buffer {
  return tagged(0x06, Buffer.of(...bytes));
}

function bitString(bytes: Buffer): Buffer {
  return tagged(0x03, Buffer.of(0), bytes);
}

/** `YYMMDDHHMMSSZ` */
function utcTime(time: number): Buffer {
  const digits = new Date(time).toISOString().replace(/\D/gu, "").slice(2, 14);
  return tagged(0x17, `${digits}Z`);
}

function pem(der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/gu) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}
