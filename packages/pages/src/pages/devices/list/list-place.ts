import { createContext, useContext } from "react";

import { usePageFrame } from "../../../components/page-frame.tsx";

/** A part of the list. */
export interface ListPlace {
  /** From 1; not checked against the list. */
  readonly page: number;
  /** Words in the names of devices; empty for all devices. */
  readonly filter: string;
}

export const wholeList: ListPlace = { page: 1, filter: "" };

const filterLimit = 100;

/** Reads the part of the list from an address; the first page if it names none. */
export function readPlace(url: string): ListPlace {
  const { searchParams } = new URL(url);
  const page = Number(searchParams.get("page") ?? 1);
  const filter = (searchParams.get("find") ?? "").trim().slice(0, filterLimit);
  return { page: Number.isSafeInteger(page) ? page : 1, filter };
}

/** Returns the query for a part of the list; empty for its start. */
export function placeQuery({ page, filter }: ListPlace): string {
  const query = new URLSearchParams({
    ...(page > 1 && { page: String(page) }),
    ...(filter !== "" && { find: filter }),
  });
  return query.size === 0 ? "" : `?${query.toString()}`;
}

export const ShownPlace = createContext(wholeList);

/**
 * Returns a function for the addresses of forms below `/devices`: they lead back to the shown part
 * of the list.
 */
export function useFormAddress(): (path: string) => string {
  const { site } = usePageFrame();
  const query = placeQuery(useContext(ShownPlace));
  return (path) => `${site.root}/devices/${path}${query}`;
}
