"use client";
import { useState } from "react";
import {
  editorsOnly,
  endEverywhere,
  keepTheme,
  readTheme,
  secondFactorOnly,
  setTheme,
} from "./actions";

export function Settings() {
  const [read, setRead] = useState("");
  return (
    <>
      <button onClick={() => void setTheme("dark")}>Set theme</button>
      <button onClick={() => void readTheme().then(setRead)}>Read theme</button>
      <button onClick={() => void keepTheme().then(setRead)}>Keep theme</button>
      <button onClick={() => void secondFactorOnly().then(setRead)}>Second factor</button>
      <button onClick={() => void editorsOnly().catch((error) => setRead(error.message))}>
        For editors
      </button>
      <button onClick={() => void endEverywhere()}>End everywhere</button>
      <output>{read}</output>
    </>
  );
}
