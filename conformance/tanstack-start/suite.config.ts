// What the suite asks for beside what the guide shows.
import { tanstackStart } from "@tanstack/react-start/plugin/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const entries = { start: { entry: "suite/start" }, router: { entry: "suite/router" } };

export default defineConfig({ plugins: [tanstackStart(entries), react()] });
