import { constants, createDeflateRaw, deflateRawSync } from "node:zlib";

/** What pages have in common is compressed once, and well; the rest quickly, with little memory. */
const quickly = { level: 3, windowBits: 13, memLevel: 6 } as const;
const roomBytes = 65_536;

/**
 * Compresses what is one page's own (DEFLATE, RFC 1951), without an end, so that more can follow. Nothing before it
 * is referred to.
 */
export const deflate: (bytes: Uint8Array) => Uint8Array = sharedDeflate() ?? deflateAlone;

/** With a stream for this one text. */
export function deflateAlone(bytes: Uint8Array): Uint8Array {
  return deflateRawSync(bytes, { ...quickly, finishFlush: constants.Z_SYNC_FLUSH });
}

/** What a stream of Node has inside: Node itself compresses by it where nobody waits. */
interface SyncHandle {
  reset(): void;
  writeSync(...given: [flush: number, ...from: Span, ...to: Span]): void;
}

type Span = [bytes: Uint8Array, start: number, length: number];

/**
 * One stream for all texts, which forgets each before the next; absent where Node has another one inside than we
 * know. A stream for each text makes a page a fifth slower and leaves 60 MB more behind (decision 0047).
 */
function sharedDeflate(): typeof deflate | undefined {
  const { _handle: handle, _writeState: state } = createDeflateRaw(quickly) as unknown as {
    readonly _handle?: Partial<SyncHandle>;
    readonly _writeState?: Uint32Array;
  };
  if (!isSyncHandle(handle) || !(state instanceof Uint32Array)) return undefined;
  const room = Buffer.alloc(roomBytes);
  return (bytes) => {
    handle.reset();
    handle.writeSync(constants.Z_SYNC_FLUSH, bytes, 0, bytes.length, room, 0, room.length);
    const [left = 0, unread = 0] = state;
    // Large texts are rare, and their stream costs them little.
    return left === 0 || unread > 0 ? deflateAlone(bytes) : room.subarray(0, room.length - left);
  };
}

function isSyncHandle(handle: Partial<SyncHandle> | undefined): handle is SyncHandle {
  return typeof handle?.reset === "function" && typeof handle.writeSync === "function";
}
