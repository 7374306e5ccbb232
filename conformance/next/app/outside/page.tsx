import { auth } from "../../auth";
import { Facts } from "../facts";

/** A page outside the matcher of proxy.ts. */
export default async function OutsidePage() {
  const { session, accessToken, update } = await auth();
  const refusalOf = (error: Error & { code?: string }) => `${error.code}: ${error.message}`;
  const token = session && (await accessToken().catch(refusalOf));
  const changed = session && (await update((data) => ({ ...data, theme: "x" })).catch(refusalOf));
  return (
    <Facts
      facts={{ name: session?.user.name, token, changed, updatedAt: session?.times.updatedAt }}
    />
  );
}
