import { Suspense } from "react";
import { auth } from "../../auth";

export default function Editors() {
  return (
    <Suspense>
      <Person />
    </Suspense>
  );
}

/** A rule which no user meets. */
async function Person() {
  const { user } = (await auth()).require({ claim: { role: "editor" } });
  return <h1>{`Editor ${user.name}`}</h1>;
}
