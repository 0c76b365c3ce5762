import { codePoints, limits } from '../../shared/limits.js'
import type { EndReason } from '../../shared/resources/streamed-message.js'
import type { RedisClient } from './client.js'
import type { Functions } from './functions.js'
import { type Keys, keysOf } from './keys.js'

/** What became of a piece. `known`: the text is longer than its position. `gap`: pieces before it are missing. */
export type Growth =
  | { readonly outcome: 'grown' | 'gap' | 'long'; readonly length: number }
  | { readonly outcome: 'known'; readonly length: number; readonly text: string }
  | { readonly outcome: 'ended'; readonly reason: EndReason }
  | { readonly outcome: 'unknown' }

// A text grows for an hour at most, and its end is known for an hour.
const growsSeconds = 7200
const knownSeconds = 3600
// Readers who get no pieces get the whole text at this interval at most.
const showEveryMs = 1000

/** The texts of messages that grow. Only Redis stores them, because each piece would be a write (docs/protocol/streamed-messages.md). */
export class StreamedTexts {
  private readonly keys: Keys

  constructor(
    private readonly redis: RedisClient,
    private readonly functions: Functions,
    prefix: string,
    org: string,
  ) {
    this.keys = keysOf(prefix, org)
  }

  async begin(messageId: number, text: string, now: number): Promise<void> {
    const [facts, place] = this.keysFor(messageId)
    const length = codePoints(text)
    await Promise.all([
      this.redis.command('SET', place, text, 'EX', growsSeconds),
      this.redis.command('HSET', facts, 'length', length, 'at', now, 'shown', length, 'shown_at', now),
      this.redis.command('EXPIRE', facts, growsSeconds),
    ])
  }

  async grow(messageId: number, position: number, piece: string, now: number): Promise<Growth> {
    const args = [position, piece, codePoints(piece), limits.max_message_length, now]
    const [outcome, ...rest] = (await this.functions.call('grow', this.keysFor(messageId), args)) as [
      Buffer,
      ...(Buffer | number)[],
    ]
    const kind = String(outcome) as Growth['outcome']
    const [first, second] = rest
    if (kind === 'unknown') return { outcome: kind }
    if (kind === 'ended') return { outcome: kind, reason: String(first) as EndReason }
    if (kind === 'known') return { outcome: kind, length: Number(first), text: String(second) }
    return { outcome: kind, length: Number(first) }
  }

  /** The text if it grows. */
  async read(messageId: number): Promise<string | undefined> {
    const [facts, place] = this.keysFor(messageId)
    const [ended, text] = (await Promise.all([
      this.redis.command('HGET', facts, 'ended'),
      this.redis.command('GET', place),
    ])) as [Buffer | null, Buffer | null]
    return ended === null && text !== null ? text.toString('utf8') : undefined
  }

  /** When its author last appended something or gave a sign of life, in ms, and whether it has ended. Undefined: it is not known. */
  async lastSign(messageId: number): Promise<{ readonly at: number; readonly hasEnded: boolean } | undefined> {
    const [at, ended] = (await this.redis.command(
      'HMGET',
      this.keysFor(messageId)[0],
      'at',
      'ended',
    )) as (Buffer | null)[]
    return at ? { at: Number(at), hasEnded: ended !== null } : undefined
  }

  /** The text to show whole now; a number: the ms until then; undefined: nothing is new. */
  async show(messageId: number, now: number): Promise<string | number | undefined> {
    const [outcome, value] = (await this.functions.call('show', this.keysFor(messageId), [now, showEveryMs])) as [
      Buffer,
      (Buffer | number)?,
    ]
    if (String(outcome) === 'wait') return Number(value)
    return String(outcome) === 'show' ? String(value) : undefined
  }

  /** No piece is appended from now on. The first reason stays. Undefined: the text is not known; `text` undefined: the end was stored. */
  async end(
    messageId: number,
    reason: EndReason,
  ): Promise<{ readonly reason: EndReason; readonly text: string | undefined } | undefined> {
    const reply = await this.functions.call('end-growth', this.keysFor(messageId), [reason])
    const [first, text] = reply as [Buffer?, (Buffer | null)?]
    return first && { reason: String(first) as EndReason, text: text?.toString('utf8') }
  }

  /** Its end is stored: only the reason is still of use. */
  async forget(messageId: number): Promise<void> {
    const [facts, place] = this.keysFor(messageId)
    await Promise.all([this.redis.command('DEL', place), this.redis.command('EXPIRE', facts, knownSeconds)])
  }

  private keysFor(messageId: number): [facts: string, text: string] {
    return [this.keys.streamed(messageId), this.keys.streamedText(messageId)]
  }
}
