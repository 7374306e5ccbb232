import { useUser } from "@auth0/nextjs-auth0/client";
import Link from "next/link";

export default function Home() {
  const { user, error, isLoading } = useUser();
  if (isLoading) return <p>One moment</p>;
  if (error) return <p>{error.message}</p>;
  return (
    <>
      <h1>{user ? `Welcome ${user.name}` : "Welcome stranger"}</h1>
      <Link href="/profile">Profile</Link>
    </>
  );
}
