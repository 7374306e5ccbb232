import { Suspense } from "react";
import { auth } from "../../auth";

export default function Editors() {
  return (
    <Suspense>
      <Person />
    </Suspense>
  );
}

/** A rule that nobody meets. */
async function Person() {
  const { user } = (await auth()).require({ claim: { role: "editor" } });
  return <h1>{`Editor ${user.name}`}</h1>;
}
