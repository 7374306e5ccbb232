import Link from "next/link";

/** Next fetches ahead what these lead to. */
export default function LinksPage() {
  return (
    <nav>
      <Link href="/public/members">Members</Link>
      <Link href="/private">Private page</Link>
      <Link href="/public/vault">Vault</Link>
      <Link href="/api/auth/login">Sign in</Link>
      <Link href="/api/auth/logout">Sign out</Link>
    </nav>
  );
}
