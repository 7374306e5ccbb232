import { createContext, use } from "react";

import { usePageFrame } from "../../../components/page-frame.tsx";

/** A part of the list. */
export interface ListPlace {
  /** From 1; whatever was asked for. */
  readonly page: number;
  /** Words that the names of devices must hold; empty for all devices. */
  readonly filter: string;
}

export const wholeList: ListPlace = { page: 1, filter: "" };

const filterLimit = 100;

/** The part of the list that an address asks for; the first page where it names none. */
export function placeAsked(url: string): ListPlace {
  const { searchParams } = new URL(url);
  const page = Number(searchParams.get("page") ?? 1);
  const filter = (searchParams.get("find") ?? "").trim().slice(0, filterLimit);
  return { page: Number.isSafeInteger(page) ? page : 1, filter };
}

/** The query that asks for a part of the list; empty for its start. */
export function placeQuery({ page, filter }: ListPlace): string {
  const query = new URLSearchParams({
    ...(page > 1 && { page: String(page) }),
    ...(filter !== "" && { find: filter }),
  });
  return query.size === 0 ? "" : `?${query.toString()}`;
}

/** The part of the list that a page shows. */
export const ShownPlace = createContext(wholeList);

/** A function for the addresses of forms below `/devices`: they lead back to the part of the list that is shown. */
export function useFormAddress(): (path: string) => string {
  const { site } = usePageFrame();
  const query = placeQuery(use(ShownPlace));
  return (path) => `${site.root}/devices/${path}${query}`;
}
