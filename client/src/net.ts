// The line to the server: one socket a table that comes back by itself and loses nothing.
import { signal } from "@preact/signals";
import type { Reply, Said } from "./wire";

type Handler = (message: Record<string, unknown>) => void;
interface Pending {
  text: string;
  lasting: boolean;
  resolve: (reply: Reply & Record<string, unknown>) => void;
}

export const fresh = (): string => Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, "0")).join("");

/** How many questions wait for their answer. */
export const waits = signal(0);

export class Line {
  private socket: WebSocket | undefined;
  private next = 1;
  private tries = 0;
  private closed = false;
  private readonly pending = new Map<number, Pending>();
  /** The version of the table that was shown last, and answers that came before what they are about was shown. */
  private version = -1;
  private early: { version: number; tell: () => void }[] = [];

  constructor(
    private readonly match: string,
    private readonly hear: Handler,
    private readonly mood: (up: boolean) => void,
  ) {
    this.connect();
  }

  private connect(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws/${this.match}`);
    this.socket = socket;
    socket.onopen = () => {
      this.tries = 0;
      this.mood(true);
      for (const p of this.pending.values()) socket.send(p.text);
    };
    socket.onmessage = (event: MessageEvent<string>) => {
      const message = JSON.parse(event.data) as Record<string, unknown>;
      if (message.t === "reply") {
        const p = this.pending.get(message.id as number);
        this.pending.delete(message.id as number);
        const tell = () => p?.resolve(message as unknown as Reply & Record<string, unknown>);
        this.early.push({ version: (message.version as number | undefined) ?? -1, tell });
      } else this.hear(message);
      if (message.t === "state" || message.t === "curtain") this.version = message.version as number;
      this.catchUp();
    };
    socket.onclose = (event) => {
      if (this.closed || event.code === 4404 || event.code === 4403) return;
      this.mood(false);
      for (const [id, p] of this.pending)
        if (!p.lasting) {
          this.pending.delete(id);
          p.resolve({ ok: false, code: "offline", message: "the connection was lost" });
        }
      const wait = Math.min(15000, 400 * 2 ** this.tries++) * (0.5 + Math.random());
      setTimeout(() => !this.closed && this.connect(), wait);
    };
  }

  /** An answer that names a version of the table is told once that has been shown. */
  private catchUp(): void {
    const due = this.early.filter((e) => this.closed || e.version <= this.version);
    this.early = this.early.filter((e) => !due.includes(e));
    for (const e of due) e.tell();
  }

  /** Ask something. Orders (`lasting`) are sent again after a broken line; the server plays them once. */
  ask<T>(message: Said, lasting = false): Promise<Reply & T> {
    const id = this.next++;
    const text = JSON.stringify({ ...message, id });
    waits.value++;
    return new Promise<Reply & T>((resolve) => {
      const up = this.socket?.readyState === WebSocket.OPEN;
      if (!up && !lasting) {
        resolve({ ok: false, code: "offline", message: "reconnecting" } as Reply & T);
        return;
      }
      this.pending.set(id, { text, lasting, resolve: resolve as Pending["resolve"] });
      if (up) this.socket!.send(text);
    }).finally(() => setTimeout(() => waits.value--));
  }

  close(): void {
    this.closed = true;
    this.socket?.close();
    this.catchUp();
  }
}

const early = new Map<string, Promise<Response>>();

/** Ask for what will be needed soon. */
export const ahead = (path: string): unknown => early.set(path, fetch(path));

/** A file, perhaps asked for already. */
export function fetched(path: string): Promise<Response> {
  const found = early.get(path);
  early.delete(path);
  return found ?? fetch(path);
}

export async function get<T>(path: string): Promise<T> {
  const response = await fetched(path);
  const value = await response.json();
  if (!response.ok) throw new Error(value.message ?? response.statusText);
  return value as T;
}

export const post = <T>(path: string, body: unknown): Promise<T> => send<T>("POST", path, body);

export async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(path, {
    method,
    headers: { "Content-Type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const value = await response.json();
  if (!response.ok) throw new Error(value.message ?? response.statusText);
  return value as T;
}
