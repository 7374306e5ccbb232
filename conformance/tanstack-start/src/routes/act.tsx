import { createFileRoute } from "@tanstack/react-router";
import { useServerFn } from "@tanstack/react-start";
import { useState } from "react";
import { act } from "../server/people";

export const Route = createFileRoute("/act")({ component: Act });

function Act() {
  const [name, setName] = useState("");
  // It follows the redirect to login that the server may respond with.
  const send = useServerFn(act);
  return (
    <main>
      <p>{name === "" ? "Nothing done" : `Done by ${name}`}</p>
      <button onClick={() => void send().then(setName)}>Act</button>
    </main>
  );
}
