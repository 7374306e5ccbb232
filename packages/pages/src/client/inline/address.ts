/**
 * Removes from the address what the server needs once (a used code, a notice), so that a reload
 * does not send it again.
 */
export function tidyAddress(page: Document, place: Location, past: History): void {
  const names = page.documentElement.dataset["passing"]?.split(" ") ?? [];
  const address = new URL(place.href);
  for (const name of names) address.searchParams.delete(name);
  if (address.href !== place.href) past.replaceState(past.state, "", address);
}

/** A link that signs in leads back to the same part of the requested page. */
export function keepHash(page: Document, place: Location): void {
  if (place.hash === "") return;
  for (const link of page.querySelectorAll<HTMLAnchorElement>("a[data-keep-hash]")) {
    const target = new URL(link.href);
    const returnTo = target.searchParams.get("returnTo") ?? place.pathname + place.search;
    target.searchParams.set("returnTo", returnTo + place.hash);
    link.href = target.href;
  }
}
