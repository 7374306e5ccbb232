/** The used part of `pg`. The app installs the package, so its own types may be absent. */
declare module "pg" {
  export class Pool {
    constructor(options: {
      readonly connectionString: string;
      readonly connectionTimeoutMillis: number;
      readonly query_timeout: number;
      readonly statement_timeout?: number;
      readonly lock_timeout?: number;
      readonly keepAlive: boolean;
    });
    query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
    on(event: "error", listener: () => void): unknown;
    end(): Promise<void>;
  }
}
