import { type ReactNode, Suspense } from "react";
import { Session } from "./session";

interface Slots {
  readonly children: ReactNode;
  readonly modal: ReactNode;
}

export default function Layout({ children, modal }: Slots) {
  return (
    <html lang="en">
      <body>
        <Suspense>
          <Session>
            {children}
            {modal}
          </Session>
        </Suspense>
      </body>
    </html>
  );
}
