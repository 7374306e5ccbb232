import { Suspense } from "react";
import { auth } from "../../../auth";

export default function PhotoInDialog() {
  return (
    <Suspense>
      <Dialog />
    </Suspense>
  );
}

async function Dialog() {
  const { user } = (await auth()).require();
  return <dialog open>{`Photo of ${user.name} in a dialog`}</dialog>;
}
