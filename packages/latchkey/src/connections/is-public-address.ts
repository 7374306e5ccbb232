/** Names of networks without a public DNS (RFC 6761, RFC 6762, RFC 8375, ICANN's `internal`). */
const privateNames = /(?:^|\.)(?:localhost|local|internal|intranet|lan|corp|home|home\.arpa)$/;

const ipv4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/**
 * Whether an address that a customer typed may be called: https, the usual port, a name of the
 * public DNS. So no customer makes this server call another one of its network. The addresses of a
 * name are not looked up: `fetch` would look them up once more.
 */
export function isPublicAddress({ protocol, port, username, password, hostname }: URL): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, "");
  const isName = name.includes(".") && !name.startsWith("[") && !ipv4.test(name);
  return (
    protocol === "https:" &&
    port === "" &&
    username + password === "" &&
    isName &&
    !privateNames.test(name)
  );
}
