// The dice worked out again in the page, with a hash of our own so that it runs without HTTPS too.
import type { Proof } from "../wire";

const primes = (count: number): number[] => {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((p) => n % p)) found.push(n);
  return found;
};
const part = (x: number): number => ((x - Math.floor(x)) * 2 ** 32) | 0;
const K = primes(64).map((p) => part(Math.cbrt(p)));
const START = primes(8).map((p) => part(Math.sqrt(p)));
const turn = (x: number, n: number): number => (x >>> n) | (x << (32 - n));

export function sha256(data: Uint8Array): Uint8Array {
  const padded = new Uint8Array(((data.length + 72) >> 6) << 6);
  padded.set(data);
  padded[data.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor((data.length * 8) / 2 ** 32));
  view.setUint32(padded.length - 4, (data.length * 8) >>> 0);
  const h = [...START];
  const w = new Int32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + 4 * i);
    for (let i = 16; i < 64; i++) {
      const a = w[i - 15]!;
      const b = w[i - 2]!;
      w[i] = (w[i - 16]! + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + w[i - 7]! + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10))) | 0;
    }
    let [a, b, c, d, e, f, g, z] = h as [number, number, number, number, number, number, number, number];
    for (let i = 0; i < 64; i++) {
      const one = (z + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [z, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, z].forEach((v, i) => {
      h[i] = (h[i]! + v) | 0;
    });
  }
  const out = new DataView(new ArrayBuffer(32));
  h.forEach((v, i) => out.setInt32(4 * i, v));
  return new Uint8Array(out.buffer);
}

export function hmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const join = (pad: number, rest: Uint8Array): Uint8Array => {
    const all = new Uint8Array(64 + rest.length);
    all.set(block.map((b) => b ^ pad));
    all.set(rest, 64);
    return sha256(all);
  };
  return join(0x5c, join(0x36, message));
}

export const hex = (bytes: Uint8Array): string => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
export const unhex = (text: string): Uint8Array => Uint8Array.from(text.match(/../g) ?? [], (b) => Number.parseInt(b, 16));

/** The outcome of roll `n` (from zero) that the seed gives. */
export function outcome(seed: Uint8Array, n: number, outcomes: [string, number, number][]): string {
  const point = BigInt(`0x${hex(hmac(seed, new TextEncoder().encode(String(n))))}`);
  const one = 1n << 256n;
  // point / one < sum of (top / bottom), kept as one exact fraction
  let top = 0n;
  let bottom = 1n;
  for (const [text, t, b] of outcomes) {
    top = top * BigInt(b) + BigInt(t) * bottom;
    bottom *= BigInt(b);
    if (point * bottom < top * one) return text;
  }
  return outcomes.at(-1)?.[0] ?? "";
}

export function checkRolls(proof: Proof): string {
  const seed = unhex(proof.seed);
  if (hex(sha256(seed)) !== proof.commitment) return "The number shown is not the one committed to.";
  const wrong = proof.rolls.findIndex((r, n) => outcome(seed, n, r.outcomes) !== r.result);
  if (wrong >= 0) return `Roll ${wrong + 1} is not what the number gives.`;
  return `All ${proof.rolls.length} rolls are what the number gives, and it is the number committed to before the first.`;
}
