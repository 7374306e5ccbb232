"use client";
import { useActionState } from "react";
import { act } from "./actions";

export function Act() {
  const [done, action] = useActionState(act, "Nothing done");
  return (
    <form action={action}>
      <p>{done}</p>
      <button>Act</button>
    </form>
  );
}
