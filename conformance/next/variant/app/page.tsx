import Link from "next/link";
import { Suspense } from "react";
import { auth } from "../auth";

/** The shell is made once, by the build; who is there is added for each request. */
export default function Home() {
  return (
    <main>
      <Suspense fallback={<p>One moment</p>}>
        <Greeting />
      </Suspense>
      <Link href="/private">Private page</Link>
      <Link href="/photo">Photo</Link>
    </main>
  );
}

async function Greeting() {
  const { user } = await auth();
  return <h1>{`Hello ${user?.name ?? "stranger"}`}</h1>;
}
