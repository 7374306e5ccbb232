import { UserProvider } from "@auth0/nextjs-auth0/client";
import Head from "next/head";

export default function App({ Component, pageProps }) {
  return (
    <UserProvider user={pageProps.user}>
      <Head>
        <link rel="icon" href="data:," />
      </Head>
      <Component {...pageProps} />
    </UserProvider>
  );
}
