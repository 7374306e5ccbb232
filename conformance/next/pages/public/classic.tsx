import Link from "next/link";

export default function PublicClassic() {
  return (
    <Link href="/classic?tab=2" prefetch={false}>
      Classic page
    </Link>
  );
}
