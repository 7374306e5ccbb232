import { connection } from "next/server";
import { Suspense } from "react";
import { auth } from "../../auth";

export default function Cached() {
  return (
    <Suspense>
      <Person />
    </Suspense>
  );
}

async function Person() {
  // Else the build itself would refuse it.
  await connection();
  return <h1>{await cachedName().catch(() => "Nobody")}</h1>;
}

/** Next refuses it: what one person is shown must not be kept for another. */
async function cachedName(): Promise<string> {
  "use cache";
  const { user } = await auth();
  return `Cached for ${user?.name}`;
}
