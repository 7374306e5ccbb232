import { constants, crc32, deflateRawSync } from "node:zlib";

import type { DocumentParts, FixedPart } from "../../../../packages/pages/src/web-application.ts";

interface CompressedPart {
  readonly utf8: Buffer;
  readonly crc: number;
  /** DEFLATE (RFC 1951), cut at a byte. */
  readonly deflated: Buffer;
}

/** The part in the middle is compressed for each page: quickly, and with little memory. */
const quickly = {
  level: 3,
  windowBits: 13,
  memLevel: 6,
  chunkSize: 4096,
  finishFlush: constants.Z_SYNC_FLUSH,
} as const;

const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

const compressed = new WeakMap<FixedPart, CompressedPart>();

/** @param isLast - whether the stream of DEFLATE ends with it */
function compressedPart(part: FixedPart, isLast: boolean): CompressedPart {
  const known = compressed.get(part);
  if (known !== undefined) return known;
  const utf8 = Buffer.from(part.html);
  const finishFlush = isLast ? constants.Z_FINISH : constants.Z_SYNC_FLUSH;
  const deflated = deflateRawSync(utf8, { level: 9, finishFlush });
  const made = { utf8, crc: crc32(utf8), deflated };
  compressed.set(part, made);
  return made;
}

/**
 * A page in the coding `gzip` (RFC 1952). The parts that pages share are compressed once: parts
 * of a DEFLATE stream may be compressed apart.
 */
export function gzipDocument(parts: DocumentParts): Uint8Array<ArrayBuffer> {
  const before = compressedPart(parts.before, false);
  const after = compressedPart(parts.after, true);
  const utf8 = Buffer.from(parts.own);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(after.utf8, crc32(utf8, before.crc)), 0);
  trailer.writeUInt32LE(before.utf8.length + utf8.length + after.utf8.length, 4);
  const deflated = deflateRawSync(utf8, quickly);
  return Buffer.concat([gzipHeader, before.deflated, deflated, after.deflated, trailer]);
}
