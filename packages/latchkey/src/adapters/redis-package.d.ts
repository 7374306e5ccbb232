/**
 * The part of node-redis that is used. The package is the app's to install, so its own types may be
 * absent.
 */
declare module "redis" {
  export interface Client {
    sendCommand(args: string[]): Promise<unknown>;
    connect(): Promise<unknown>;
    on(event: "error", listener: () => void): unknown;
    destroy(): void;
  }

  export function createClient(options: {
    readonly url: string;
    readonly disableOfflineQueue: boolean;
    readonly socket: {
      /** Milliseconds until the next try, or the error that ends trying. */
      reconnectStrategy(retries: number, cause: Error): number | Error;
    };
  }): Client;
}
