import { accountView } from "../pages/account/account-data.ts";
import { accountPage } from "../pages/account/account-screen.tsx";
import { welcomePage } from "../pages/home/welcome-screen.tsx";
import type { GalleryState } from "./gallery-state.ts";
import { ada, galleryNow, longNamed, shortAddress } from "./people.ts";

/** What pages say of one way to sign in among several. */
export function severalStates(): GalleryState[] {
  const way = { connection: "acme", label: "Acme Corporation" };
  const pages = {
    account: accountPage(accountView(ada, galleryNow), ada),
    "account-without-organization": accountPage(
      accountView(shortAddress, galleryNow),
      shortAddress,
    ),
    home: welcomePage(longNamed),
  };
  return Object.entries(pages).map(([name, page]) => ({
    id: `several-${name}`,
    title: `Signed in with one of several ways: ${name}`,
    page: { ...page, way, provider: way.label },
    hasSeveralWays: true,
  }));
}
