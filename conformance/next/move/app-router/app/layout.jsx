import { UserProvider } from "@auth0/nextjs-auth0/client";

export const metadata = { icons: "data:," };

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>
        <UserProvider>{children}</UserProvider>
      </body>
    </html>
  );
}
