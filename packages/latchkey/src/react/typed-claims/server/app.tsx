import type { RequestAuth } from "latchkey";
import { useUser } from "latchkey/react";
import type { ReactNode } from "react";

/** An app that declares its claims for the server alone. It never runs: `tsc` compiles it. */
declare module "latchkey" {
  interface Claims {
    readonly department?: string;
  }
}

export function departmentOf({ user }: RequestAuth): string | undefined {
  return user?.department;
}

export function Department(): ReactNode {
  const department: string | undefined = useUser()?.department;
  return department;
}
