import { auth } from "../../auth";

export default async function Private() {
  const { user } = (await auth()).require();
  return (
    <main>
      <h1>{`Hello ${user.name ?? user.sub}`}</h1>
      <a href="/api/auth/logout">Sign out</a>
    </main>
  );
}
