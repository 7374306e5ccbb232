/** What the benchmark uses of the packages that it installs for itself, when it runs. */
declare module "undici" {
  export { Agent, Client, request } from "undici-types";
}
