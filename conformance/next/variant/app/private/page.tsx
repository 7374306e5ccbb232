import { Suspense } from "react";
import { auth } from "../../auth";

export default function Private() {
  return (
    <Suspense>
      <Person />
    </Suspense>
  );
}

async function Person() {
  const { user } = (await auth()).require();
  return <h1>{`Private page of ${user.name ?? user.sub}`}</h1>;
}
