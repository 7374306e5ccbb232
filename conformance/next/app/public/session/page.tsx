import { auth } from "../../../auth";
import { Facts } from "../../facts";

/** What a component of a public page sees of the session. */
export default async function SessionPage() {
  const { session, ended } = await auth();
  const { accessToken } = await auth();
  const token = session && (await accessToken().catch((error) => `refused: ${error.code}`));
  return (
    <Facts
      facts={{ name: session?.user.name, ended, token, updatedAt: session?.times.updatedAt }}
    />
  );
}
