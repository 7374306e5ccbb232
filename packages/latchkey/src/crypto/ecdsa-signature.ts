/**
 * Writes a signature with P-256 as DER (RFC 3279, section 2.2.3): the one form that `node:crypto`
 * takes in every runtime. `null` unless it is one by RFC 7518, section 3.4.
 */
export function derOf(signature: Uint8Array): Uint8Array | null {
  if (signature.length !== 64) return null;
  const r = integerOf(signature.subarray(0, 32));
  const s = integerOf(signature.subarray(32));
  return Uint8Array.of(0x30, r.length + s.length, ...r, ...s);
}

/** An integer without leading zeros, except the one that keeps it positive. */
function integerOf(bytes: Uint8Array): readonly number[] {
  const start = bytes.findIndex((byte) => byte !== 0);
  const digits = start === -1 ? [0] : [...bytes.subarray(start)];
  const positive = (digits[0] ?? 0) > 0x7f ? [0, ...digits] : digits;
  return [0x02, positive.length, ...positive];
}
