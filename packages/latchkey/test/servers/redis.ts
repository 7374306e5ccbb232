import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";

import type { RedisClient } from "../../src/stores/redis/redis-commands.ts";
import { freePort } from "./free-port.ts";
import { findProgram, stop, unpacked, untilSaid } from "./programs.ts";

/** Returns the Redis or Valkey of this machine, or `null` without one. */
export function findRedis(): string | null {
  const folders = [unpacked("redis")];
  return findProgram("redis-server", folders) ?? findProgram("valkey-server", folders);
}

export interface RunningRedis {
  readonly port: number;
  readonly url: string;
  /** Stops and continues the process, or ends it. */
  signal(name: "SIGSTOP" | "SIGCONT" | "SIGKILL"): void;
  command(...args: string[]): Promise<unknown>;
  /** A client of its own connection. */
  connect(): Promise<RedisClient & { close(): void }>;
  close(): Promise<void>;
}

export interface RedisOptions {
  /** By default a free one. */
  readonly port?: number | undefined;
  /** The first words of the command line. */
  readonly settings?: readonly string[];
}

/** Starts a Redis on the loopback, without writes to disk. */
export async function startRedis(
  program: string,
  { port: givenPort, settings = ["--dir", "/tmp"] }: RedisOptions = {},
): Promise<RunningRedis> {
  const port = givenPort ?? (await freePort());
  const quiet = ["--save", "", "--appendonly", "no", "--bind", "127.0.0.1", "--port", `${port}`];
  const server = spawn(program, [...settings, ...quiet], { stdio: ["ignore", "pipe", "ignore"] });
  await untilSaid(server.stdout, /Ready to accept connections|Sentinel ID is/);
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    signal: (name) => void server.kill(name),
    async command(...args) {
      const client = await connectRedis(port);
      try {
        return await client.sendCommand(args);
      } finally {
        client.close();
      }
    },
    connect: () => connectRedis(port),
    close: () => stop(server, "SIGKILL"),
  };
}

type Settle = (reply: unknown) => void;

/** The smallest client: one command, one answer, in order (RESP 2). */
export async function connectRedis(port: number): Promise<RedisClient & { close(): void }> {
  const socket: Socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const waiting: Settle[] = [];
  let received = "";
  socket.setEncoding("utf8");
  socket.on("data", (text: string) => {
    received += text;
    for (let reply = readReply(received, 0); reply !== null; reply = readReply(received, 0)) {
      received = received.slice(reply.end);
      waiting.shift()?.(reply.value);
    }
  });
  const failAll = () => {
    for (const settle of waiting.splice(0)) settle(new Error("connection lost"));
  };
  socket.on("error", failAll).on("close", failAll);
  return {
    async sendCommand(args) {
      if (socket.destroyed) throw new Error("connection lost");
      const parts = args.map((arg) => `$${Buffer.byteLength(arg)}\r\n${arg}\r\n`);
      const reply = await new Promise<unknown>((settle) => {
        waiting.push(settle);
        socket.write(`*${args.length}\r\n${parts.join("")}`);
      });
      if (reply instanceof Error) throw reply;
      return reply;
    },
    close: () => void socket.destroy(),
  };
}

/**
 * Returns one reply from the text and its end, or `null` if it is incomplete. Texts are ASCII here.
 */
function readReply(text: string, start: number): { value: unknown; end: number } | null {
  const lineEnd = text.indexOf("\r\n", start);
  if (lineEnd === -1) return null;
  const line = text.slice(start + 1, lineEnd);
  const end = lineEnd + 2;
  switch (text[start]) {
    case "+":
      return { value: line, end };
    case "-":
      return { value: new Error(line), end };
    case ":":
      return { value: Number(line), end };
    case "$":
      return readBulk(text, end, Number(line));
    default:
      return readList(text, end, Number(line));
  }
}

function readBulk(text: string, start: number, length: number) {
  if (length === -1) return { value: null, end: start };
  const end = start + length + 2;
  return text.length < end ? null : { value: text.slice(start, end - 2), end };
}

function readList(text: string, start: number, length: number) {
  const value: unknown[] = [];
  let end = start;
  for (let count = 0; count < length; count += 1) {
    const item = readReply(text, end);
    if (item === null) return null;
    value.push(item.value);
    end = item.end;
  }
  return { value, end };
}
