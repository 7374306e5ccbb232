/** What the benchmark uses of the packages that it installs for itself, when it runs. */
declare module "undici" {
  export { Agent, Client, request } from "undici-types";
}

declare module "iron-session" {
  interface SealOptions {
    readonly password: string;
  }
  export function sealData(data: unknown, options: SealOptions): Promise<string>;
  export function unsealData<Data>(seal: string, options: SealOptions): Promise<Data>;
}
