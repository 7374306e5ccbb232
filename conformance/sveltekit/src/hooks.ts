/** Pages have German addresses, too. */
export const reroute = ({ url }: { readonly url: URL }) => url.pathname.replace(/^\/de\//, "/");
