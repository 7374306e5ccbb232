import { expect } from "vitest";

/** The page came, whatever markup the host puts around its text. */
export function expectPage(page: { readonly status: number; readonly text: string }, text: string) {
  expect([page.status, page.text]).toEqual([200, expect.stringContaining(text)]);
}
