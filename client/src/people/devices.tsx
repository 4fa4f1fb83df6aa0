// A person's devices, a way to another one, and where one is told of one's turn while no page is open.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get, post, send } from "../net";
import type { Device, DeviceLink, Notices } from "../wire";
import { LinkField, Sure } from "../words/pieces";
import { ago } from "../words/text";
import "./people.css";

const devices = signal<Device[]>([]);
const made = signal<DeviceLink | null>(null);
const code = signal("");
const notices = signal<Notices | null>(null);
const said = signal("");

/** Do something, and say what was wrong if it was refused. */
async function attempt(act: () => Promise<unknown>): Promise<void> {
  said.value = "";
  try {
    await act();
  } catch (e) {
    said.value = (e as Error).message;
  }
}

const list = async (): Promise<void> => {
  devices.value = (await get<{ devices: Device[] }>("/api/devices")).devices;
};

const letGo = (d: Device): Promise<void> =>
  attempt(async () => {
    await send("DELETE", `/api/devices/${d.id}`);
    await list();
  });

const leave = (): Promise<void> =>
  attempt(async () => {
    await post("/api/sign-out", {});
    location.href = "/";
  });

export function Devices() {
  useEffect(() => {
    made.value = null;
    code.value = said.value = "";
    void attempt(async () => {
      notices.value = await get<Notices>("/api/notices");
      await list();
    });
  }, []);
  if (!notices.value?.possible) return null;
  return (
    <>
      <section class="devices" aria-label="Devices">
        <h3>Your devices</h3>
        <ul>
          {devices.value.map((d) => (
            <li key={d.id}>
              <span>
                <b>{d.label || "A browser"}</b> <small class="mute">{d.this ? "this one" : `used ${ago(d.seen)}`}</small>
              </span>
              {d.this ? (
                <Sure label="Sign out" question="Without a code or another device your games are out of reach." yes="Sign out" act={leave} />
              ) : (
                <Sure label="Let it go" question="It will no longer be yours." yes="Let it go" act={() => letGo(d)} />
              )}
            </li>
          ))}
        </ul>
        {made.value ? (
          <div class="qr">
            <div dangerouslySetInnerHTML={{ __html: made.value.qr }} role="img" aria-label="The link as a picture for a camera" />
            <p class="note">Photograph it, or send the link to yourself. It works once, within {Math.round(made.value.seconds / 60)} minutes.</p>
            <LinkField link={location.origin + made.value.link} label="Link for another device" />
          </div>
        ) : null}
        {code.value && (
          <p role="status">
            Write it down: <b class="mono">{code.value}</b>
            <span class="note"> It lets you in on any device, once; a new one replaces it.</span>
          </p>
        )}
        <div class="acts wrap">
          <button type="button" class="btn" onClick={() => void attempt(async () => void (made.value = await post<DeviceLink>("/api/devices/link", {})))}>
            Go on from another device
          </button>
          <button type="button" class="btn" onClick={() => void attempt(async () => void (code.value = (await post<{ code: string }>("/api/devices/code", {})).code))}>
            Recovery code
          </button>
        </div>
        <form
          class="say"
          onSubmit={(e) => {
            e.preventDefault();
            const key = new FormData(e.currentTarget).get("key");
            void attempt(async () => {
              await post("/api/devices/join", { key });
              location.href = "/";
            });
          }}
        >
          <input name="key" required maxLength={64} aria-label="Recovery code" placeholder="A recovery code you wrote down" autocomplete="off" />
          <button type="submit" class="btn">
            Be that person
          </button>
        </form>
      </section>
      <section class="devices" aria-label="Told elsewhere">
        <h3>Told elsewhere</h3>
        <p class="note">When it is your turn and you are not at the table, the server sends a signed message (a webhook) to an address of yours.</p>
        <form
          class="say"
          onSubmit={(e) => {
            e.preventDefault();
            const url = String(new FormData(e.currentTarget).get("url") ?? "");
            void attempt(async () => {
              notices.value = await post<Notices>("/api/notices", { url });
              said.value = url ? "Kept." : "You are told nowhere else.";
            });
          }}
        >
          <input name="url" type="url" maxLength={400} aria-label="Address to be told at" placeholder="https://…" key={notices.value.url} defaultValue={notices.value.url} />
          <button type="submit" class="btn">
            Keep
          </button>
        </form>
        {notices.value.secret && (
          <>
            <p class="note">
              Signed with <span class="mono">{notices.value.secret}</span>: X-Ladoga-Signature is sha256 over time, a dot and the body.
            </p>
            <button
              type="button"
              class="btn"
              onClick={() => void attempt(async () => void (said.value = `It answered ${(await post<{ status: number }>("/api/notices/try", {})).status}.`))}
            >
              Send a message now
            </button>
          </>
        )}
      </section>
      {said.value && (
        <p class="notice" role="alert">
          {said.value}
        </p>
      )}
    </>
  );
}
