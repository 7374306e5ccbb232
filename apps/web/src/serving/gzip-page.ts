import { constants, crc32, deflateRawSync } from "node:zlib";

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

/** Each language has about ten of each. */
const keptAtMost = 500;
type Kept = Map<string, CompressedPart>;
const keptStarts: Kept = new Map();
/** With them the stream of DEFLATE ends. */
const keptEnds: Kept = new Map();

function compressedPart(html: string, kept: Kept): CompressedPart {
  const known = kept.get(html);
  if (known !== undefined) return known;
  const utf8 = Buffer.from(html);
  const finishFlush = kept === keptEnds ? constants.Z_FINISH : constants.Z_SYNC_FLUSH;
  const deflated = deflateRawSync(utf8, { level: 9, finishFlush });
  const made = { utf8, crc: crc32(utf8), deflated };
  if (kept.size >= keptAtMost) kept.clear();
  // A slice would keep the whole page.
  kept.set(utf8.toString(), made);
  return made;
}

/**
 * A page in the coding `gzip` (RFC 1952). What pages share, the style at the beginning and the
 * script at the end, is compressed once: parts of a DEFLATE stream may be compressed apart.
 */
export function gzipPage(html: string): Uint8Array<ArrayBuffer> {
  const [ownStart, ownEnd] = ownPart(html);
  const before = compressedPart(html.slice(0, ownStart), keptStarts);
  const after = compressedPart(html.slice(ownEnd), keptEnds);
  const utf8 = Buffer.from(html.slice(ownStart, ownEnd));
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crcWith(after.utf8, crcWith(utf8, before.crc)), 0);
  trailer.writeUInt32LE(before.utf8.length + utf8.length + after.utf8.length, 4);
  const deflated = deflateRawSync(utf8, quickly);
  return Buffer.concat([gzipHeader, before.deflated, deflated, after.deflated, trailer]);
}

/** Node 22 may return 0 for no bytes, whatever came before them. */
function crcWith(utf8: Buffer, before: number): number {
  return utf8.length === 0 ? before : crc32(utf8, before);
}

/** What differs between pages: from the end of the style to the start of the last script. */
function ownPart(html: string): [start: number, end: number] {
  const start = html.indexOf("</style>");
  const end = html.lastIndexOf("<script>");
  return start >= 0 && end > start ? [start, end] : [0, html.length];
}
