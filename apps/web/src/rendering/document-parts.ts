import { constants, crc32, deflateRawSync } from "node:zlib";

/** HTML of many pages, and its compressed form. */
export interface FixedPart {
  readonly html: string;
  readonly utf8: Buffer;
  readonly crc: number;
  /** DEFLATE (RFC 1951), cut at a byte. */
  readonly deflated: Buffer;
}

/** A page in three parts: only the one in the middle is its own. */
export interface DocumentParts {
  readonly before: FixedPart;
  readonly own: string;
  readonly after: FixedPart;
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

/** @param isLast - whether the stream of DEFLATE ends with it */
export function fixedPart(html: string, isLast: boolean): FixedPart {
  const utf8 = Buffer.from(html);
  const finishFlush = isLast ? constants.Z_FINISH : constants.Z_SYNC_FLUSH;
  const deflated = deflateRawSync(utf8, { level: 9, finishFlush });
  return { html, utf8, crc: crc32(utf8), deflated };
}

export function htmlOf({ before, own, after }: DocumentParts): string {
  return before.html + own + after.html;
}

/**
 * A page in the coding `gzip` (RFC 1952). The parts that pages share were compressed before: parts
 * of a DEFLATE stream may be compressed apart.
 */
export function gzipOf({ before, own, after }: DocumentParts): Uint8Array<ArrayBuffer> {
  const utf8 = Buffer.from(own);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(after.utf8, crc32(utf8, before.crc)), 0);
  trailer.writeUInt32LE(before.utf8.length + utf8.length + after.utf8.length, 4);
  const deflated = deflateRawSync(utf8, quickly);
  return Buffer.concat([gzipHeader, before.deflated, deflated, after.deflated, trailer]);
}
