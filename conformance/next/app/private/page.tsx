import Link from "next/link";
import { auth } from "../../auth";

export default async function Private() {
  const { user } = (await auth()).require();
  return (
    <main>
      <h1>{`Private page of ${user.name ?? user.sub}`}</h1>
      <Link href="/">Home</Link>
    </main>
  );
}
