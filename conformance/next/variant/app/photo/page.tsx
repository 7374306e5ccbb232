import { Suspense } from "react";
import { auth } from "../../auth";

/** What a document shows; a link from the home page shows it in a dialog instead. */
export default function Photo() {
  return (
    <Suspense>
      <Whole />
    </Suspense>
  );
}

async function Whole() {
  const { user } = (await auth()).require();
  return <h1>{`Whole photo of ${user.name}`}</h1>;
}
