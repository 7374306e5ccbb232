import type { GetServerSideProps } from "next";
import Link from "next/link";
import { auth } from "../auth";

interface Props {
  readonly name: string;
  readonly locale: string;
}

export const getServerSideProps: GetServerSideProps<Props> = async ({ req, res, locale = "" }) => {
  const { user } = await auth(req, res);
  return { props: { name: user?.name ?? "stranger", locale } };
};

export default function Home({ name, locale }: Props) {
  return (
    <main>
      <h1>{`Hello ${name} in ${locale}`}</h1>
      <Link href="/private" locale="de">
        Private page in German
      </Link>
    </main>
  );
}
