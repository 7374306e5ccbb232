/** What `init` writes into the React app of `npm create vite`. The README shows the same. */

export const reactImports = `import { AccountMenu, SignedIn, SignedOut, SignInLink, SignInProvider } from "latchkey/react";
import "latchkey/react/styles.css";
`;

export const reactSignIn = `<SignInProvider>
  <SignedOut>
    <SignInLink />
  </SignedOut>
  <SignedIn>
    <AccountMenu />
  </SignedIn>
`;
