import type { AccessDetails } from "../components/access-details.ts";
import type { PagesSettings } from "./settings.ts";

/** Returns the function for the addresses where refused users request access. */
export function accessURL(
  given: PagesSettings["requestAccess"],
): ((details: AccessDetails) => string | undefined) | undefined {
  return typeof given === "string" ? (details) => withDetails(given, details) : given;
}

/** The details as a query, or as the text of a mail. */
function withDetails(address: string, { page, rule, account, reference }: AccessDetails): string {
  const details = { page, rule, ...(account !== undefined && { account }), reference };
  const query = address.startsWith("mailto:")
    ? {
        body: Object.entries(details)
          .map((each) => each.join(": "))
          .join("\r\n"),
      }
    : details;
  const pairs = Object.entries(query).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  return `${address}${address.includes("?") ? "&" : "?"}${pairs.join("&")}`;
}
