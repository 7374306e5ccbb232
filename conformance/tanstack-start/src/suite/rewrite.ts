/** Addresses in German show what lies at those without the language. */
export const rewrite = {
  input({ url }: { readonly url: URL }): URL {
    url.pathname = url.pathname.replace(/^\/de\//, "/");
    return url;
  },
};
