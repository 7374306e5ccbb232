import type { ReactNode } from "react";

import { usePageFrame } from "./page-frame.tsx";

/** A link to the account at the provider, if the operator has set its address. */
export function ProviderLink({ children }: { children: ReactNode }) {
  const { providerURL } = usePageFrame().site;
  return providerURL === undefined ? children : <a href={providerURL}>{children}</a>;
}
