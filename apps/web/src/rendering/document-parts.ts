import { constants, crc32, deflateRawSync } from "node:zlib";

/** HTML that is the same on many pages, and what it compresses to. */
export interface FixedPart {
  readonly html: string;
  readonly bytes: number;
  readonly utf8: Buffer;
  /** DEFLATE (RFC 1951), cut at a byte. */
  readonly deflated: Buffer;
}

/** A page in three parts: only the one in the middle is its own. */
export interface DocumentParts {
  readonly before: FixedPart;
  readonly own: string;
  readonly after: FixedPart;
}

const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** Quick, and little memory for each page: the parts that repeat are compressed once and well. */
const quickly = {
  level: 3,
  windowBits: 13,
  memLevel: 6,
  chunkSize: 8192,
  finishFlush: constants.Z_SYNC_FLUSH,
} as const;

/** @param isLast - whether the stream of DEFLATE ends with it */
export function fixedPart(html: string, isLast: boolean): FixedPart {
  const utf8 = Buffer.from(html);
  const finishFlush = isLast ? constants.Z_FINISH : constants.Z_SYNC_FLUSH;
  return {
    html,
    utf8,
    bytes: utf8.length,
    deflated: deflateRawSync(utf8, { level: 9, finishFlush }),
  };
}

export function htmlOf({ before, own, after }: DocumentParts): string {
  return before.html + own + after.html;
}

/**
 * A page in the coding `gzip` (RFC 1952). What pages have in common, most of each, was compressed before: a stream
 * of DEFLATE may be put together from parts that were compressed apart.
 */
export function gzipOf({ before, own, after }: DocumentParts): Uint8Array<ArrayBuffer> {
  const utf8 = Buffer.from(own);
  const deflated = deflateRawSync(utf8, quickly);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(after.utf8, crc32(utf8, crc32(before.utf8))), 0);
  trailer.writeUInt32LE(before.bytes + utf8.length + after.bytes, 4);
  return Buffer.concat([gzipHeader, before.deflated, deflated, after.deflated, trailer]);
}
