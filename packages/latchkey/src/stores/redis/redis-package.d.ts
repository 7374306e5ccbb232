/** The used part of node-redis. The app installs the package, so its own types may be absent. */
declare module "redis" {
  interface NodeSettings {
    readonly url?: string;
    readonly username?: string;
    readonly password?: string;
    readonly database?: number;
    readonly disableOfflineQueue?: boolean;
    /** Milliseconds. */
    readonly pingInterval?: number;
    readonly socket?: {
      readonly host?: string;
      readonly port?: number;
      readonly tls?: true;
      readonly connectTimeout: number;
      readonly socketTimeout: number;
      /** Returns milliseconds until the next attempt, or the error for giving up. */
      reconnectStrategy(retries: number, cause: Error): number | Error;
    };
  }

  interface Connected {
    connect(): Promise<unknown>;
    on(event: "error", listener: () => void): unknown;
  }

  export interface Client extends Connected {
    sendCommand(args: string[]): Promise<unknown>;
    destroy(): void;
  }

  export interface Cluster extends Connected {
    sendCommand(firstKey: string, isReadonly: boolean, args: string[]): Promise<unknown>;
    readonly masters: unknown;
    destroy(): void;
  }

  export interface Sentinel extends Connected {
    sendCommand(isReadonly: boolean, args: string[]): Promise<unknown>;
    destroy(): Promise<void>;
  }

  export function createClient(options: NodeSettings): Client;

  export function createCluster(options: {
    readonly rootNodes: NodeSettings[];
    readonly defaults: NodeSettings;
    /**
     * Milliseconds of vain reconnects to a node, before the client looks up the owner of its slots.
     */
    readonly topologyRefreshOnReconnectionAttemptStrategy: number;
  }): Cluster;

  export function createSentinel(options: {
    readonly name: string;
    readonly sentinelRootNodes: { readonly host: string; readonly port: number }[];
    readonly nodeClientOptions: NodeSettings;
    readonly scanInterval: number;
  }): Sentinel;
}
