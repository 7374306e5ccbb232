import { createRouter } from "@tanstack/react-router";
import { routeTree } from "../routeTree.gen";
import { rewrite } from "./rewrite";

export function getRouter() {
  return createRouter({ routeTree, defaultPreload: "intent", rewrite });
}
