/** Eight characters that change with a text, for the name of its file. It protects nothing. */
export function contentHash(text: string): string {
  let [first, second] = [0xdeadbeef, 0x41c6ce57];
  for (let place = 0; place < text.length; place += 1) {
    const code = text.charCodeAt(place);
    first = Math.imul(first ^ code, 2_654_435_761);
    second = Math.imul(second ^ code, 1_597_334_677);
  }
  const both = [first ^ (first >>> 16), second ^ (second >>> 13)];
  return both.map((each) => (each >>> 0).toString(36).padStart(7, "0").slice(-4)).join("");
}
