import type { ReactNode } from "react";
import { auth } from "../../../auth";

export default async function MembersLayout({ children }: { readonly children: ReactNode }) {
  (await auth()).require();
  return <section>{children}</section>;
}
