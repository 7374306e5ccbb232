/**
 * A text with the user info (RFC 3986, 3.2.1) of every address in it removed: it may hold a
 * password.
 */
export function withoutUserInfo(text: string): string {
  return text.replaceAll(/\/\/[^\s/?#]*@/g, "//");
}
