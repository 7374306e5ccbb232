import type { ReactNode } from "react";

interface Slots {
  readonly children: ReactNode;
  readonly modal: ReactNode;
}

export default function Layout({ children, modal }: Slots) {
  return (
    <html lang="en">
      <body>
        {children}
        {modal}
      </body>
    </html>
  );
}
