import { expect, test, vi } from "vitest";
import { Line } from "../src/net";

class Socket {
  static readonly OPEN = 1;
  static last: Socket;
  readonly readyState = 1;
  readonly sent: string[] = [];
  onmessage?: (event: { data: string }) => void;
  constructor() {
    Socket.last = this;
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {}
  say(message: Record<string, unknown>): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

vi.stubGlobal("WebSocket", Socket);
vi.stubGlobal("location", { protocol: "http:", host: "here" });

const turn = () => new Promise((resolve) => setTimeout(resolve));

function seated() {
  const happened: string[] = [];
  const line = new Line(
    "match",
    (message) => happened.push(`${message.t} ${message.version}`),
    () => {},
  );
  Socket.last.say({ t: "state", version: 1 });
  return { line, happened, socket: Socket.last };
}

test("an order is answered when the table has been shown as it stands then", async () => {
  const { line, happened, socket } = seated();
  void line.ask({ t: "order", action: "a", version: 1, text: "end" }, true).then((reply) => happened.push(`answered ${reply.ok}`));
  socket.say({ t: "reply", id: 1, ok: true, version: 2 });
  await turn();
  expect(happened).toEqual(["state 1"]);
  socket.say({ t: "curtain", version: 2 });
  await turn();
  expect(happened).toEqual(["state 1", "curtain 2", "answered true"]);
});

test("what is refused, or was shown already, is answered at once", async () => {
  const { line, happened, socket } = seated();
  void line.ask({ t: "order", action: "a", version: 0, text: "end" }, true).then((reply) => happened.push(`answered ${reply.ok}`));
  socket.say({ t: "reply", id: 1, ok: false, code: "stale" });
  await turn();
  void line.ask({ t: "order", action: "b", version: 1, text: "end" }, true).then((reply) => happened.push(`answered ${reply.ok}`));
  socket.say({ t: "state", version: 2 });
  socket.say({ t: "reply", id: 2, ok: true, version: 2 });
  await turn();
  expect(happened).toEqual(["state 1", "answered false", "state 2", "answered true"]);
});

test("nobody waits for a table that was left", async () => {
  const { line, happened, socket } = seated();
  void line.ask({ t: "order", action: "a", version: 1, text: "end" }, true).then((reply) => happened.push(`answered ${reply.ok}`));
  socket.say({ t: "reply", id: 1, ok: true, version: 2 });
  line.close();
  await turn();
  expect(happened).toEqual(["state 1", "answered true"]);
});
