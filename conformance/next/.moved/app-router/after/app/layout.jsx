import { UserProvider } from "latchkey/react/compat";

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
