import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { type Config, readConfig } from '../../server/config.js'
import { startRedis } from '../../server/embedded/redis.js'
import { createLog } from '../../server/log.js'
import type { EmitOptions } from '../../server/realtime/emission.js'
import { encodeEmission } from '../../server/realtime/encoding/entry.js'
import { type Engine, startEngine } from '../../server/realtime/engine.js'
import type { EventSocket, Outbox, OutboxedEmission, QueueOptions } from '../../server/realtime/realtime.js'
import type { Timing } from '../../server/realtime/timing.js'
import { connectRedis, type RedisClient } from '../../server/redis/client.js'
import { type Capability, capabilityNames, type View, type ViewKey } from '../../shared/capabilities.js'
import { defineEvent, type EventDef } from '../../shared/events/event.js'
import type { CloseCode } from '../../shared/wire/close-codes.js'
import { type Codec, unpack } from '../../shared/wire/codec.js'
import type { WireEvent } from '../../shared/wire/frames.js'

export interface Teardown {
  teardown(clean: () => unknown): unknown
}

/** Waits until the condition is true; a hang fails by the runner's time limit. */
export async function until(holds: () => unknown): Promise<void> {
  while (!(await holds())) await sleep(3)
}

const quick: Timing = {
  feedReadMs: 100,
  maintenanceMs: 40,
  queueLogMs: 40,
  leaseMs: 700,
  leaseRenewalMs: 150,
  sweepMs: 60,
  adoptAfterMs: 150,
  outboxAgeMs: 150,
  outboxKeepMs: 200,
  publishHoldMs: 400,
  tickMs: 60_000,
  trimMs: 300,
}

export const plainView: View = {
  ...(Object.fromEntries(capabilityNames.map(name => [name, false])) as Record<Capability, boolean>),
  apply_markdown: true,
  client_gravatar: true,
  slim_presence: false,
  include_subscribers: 'false',
  names_user_topic: false,
}

/** An outbox in memory for several workers. */
class FakeOutbox implements Outbox {
  readonly rows = new Map<number, OutboxedEmission & { at: number }>()
  lastId = 0
  xid = 1000
  deleted = 0

  commit(entry: Uint8Array, messageId?: number): OutboxedEmission {
    const row = { entry, outboxId: ++this.lastId, xid: String(++this.xid), messageId, at: Date.now() }
    this.rows.set(row.outboxId, row)
    return row
  }

  async pending(olderThanMs: number, limit: number, above: number): Promise<number[]> {
    const now = Date.now()
    const old = [...this.rows.values()].filter(row => row.outboxId > above && now - row.at >= olderThanMs)
    return old.map(row => row.outboxId).slice(0, limit)
  }

  async read(ids: readonly number[]): Promise<OutboxedEmission[]> {
    return ids.flatMap(id => this.rows.get(id) ?? [])
  }

  async published(ids: readonly number[]): Promise<void> {
    for (const id of ids) if (this.rows.delete(id)) this.deleted++
  }
}

/** A socket that stores its frames. `capacity`: bytes that it accepts before it is full. */
export class FakeSocket implements EventSocket {
  readonly frames: (Uint8Array | string)[] = []
  closed: { code: CloseCode; reason: string } | undefined
  unsent = 0

  constructor(
    readonly codec: Codec = 'json',
    public capacity = Number.POSITIVE_INFINITY,
  ) {}

  send(frame: Uint8Array | string): boolean {
    this.frames.push(frame)
    if (this.frames.length * 1 <= this.capacity) return true
    this.unsent += frame.length
    return false
  }

  buffered(): number {
    return this.unsent
  }

  close(code: CloseCode, reason: string): void {
    this.closed = { code, reason }
  }

  get events(): WireEvent[] {
    return this.frames.flatMap(frame => {
      const read =
        typeof frame === 'string' || this.codec === 'json' ? JSON.parse(String(asText(frame))) : unpack(frame)
      return (read as { events: WireEvent[] }).events
    })
  }

  /** The values of `n` in the received events, without heartbeats. */
  get numbers(): number[] {
    return numbersOf(this.events)
  }
}

function asText(frame: Uint8Array | string): string {
  return typeof frame === 'string' ? frame : Buffer.from(frame).toString()
}

export function numbersOf(events: readonly WireEvent[]): number[] {
  return events.filter(event => event.type !== 'heartbeat').map(event => event.n as number)
}

export const idsOf = (events: readonly WireEvent[]): number[] => events.map(event => event.id)
export const rises = (ids: readonly number[]): boolean => ids.every((id, i) => i === 0 || id > (ids[i - 1] as number))

export const number = z.object({ n: z.number() })
type Numbered = z.output<typeof number>
interface Definition {
  dependsOn?: readonly ViewKey[]
  width?: () => number
  render?: (payload: Numbered, view: View) => Numbered | Numbered[]
}

/** An event type that counts how often it is rendered. */
export function counting(name: string, { render = payload => payload, ...rest }: Definition = {}) {
  const renders = { count: 0 }
  const def: EventDef<Numbered> = defineEvent(name, {
    doc: 'A number.',
    fields: number,
    ...rest,
    render(payload: Numbered, view) {
      renders.count++
      return render(payload, view)
    },
  })
  return { def, renders }
}

export const noted = counting('noted').def
export const other = counting('other').def
export const split = counting('split', {
  dependsOn: ['bulk_message_deletion'],
  width: () => 3,
  render: ({ n }, view) => (view.bulk_message_deletion ? { n } : [{ n: n + 0.1 }, { n: n + 0.2 }, { n: n + 0.3 }]),
}).def

export interface Worker {
  readonly engine: Engine
  readonly redis: RedisClient
  /** Like SIGKILL: the worker writes and sends no more; its connections close. */
  kill(): Promise<void>
  stop(): Promise<void>
}

export class Rig {
  readonly outbox = new FakeOutbox()
  readonly org = randomUUID()
  readonly defs = new Map<string, EventDef>()
  readonly log = createLog(process.env.TEST_LOG_LEVEL ?? 'silent', 'test')
  readonly prefix = `t${randomUUID().slice(0, 8)}`
  private workers: Worker[] = []

  constructor(
    readonly redisUrl: string,
    readonly settings: Partial<Config> = {},
    readonly timing: Partial<Timing> = {},
  ) {
    for (const def of [noted, other, split]) this.define(def)
  }

  define<Payload extends object>(def: EventDef<Payload>): void {
    this.defs.set(def.name, def as unknown as EventDef)
  }

  get config(): Config {
    return { ...readConfig({}), keyPrefix: this.prefix, ...this.settings }
  }

  async worker(timing: Partial<Timing> = {}): Promise<Worker> {
    const redis = await connectRedis(this.redisUrl, this.log)
    const engine = await startEngine({
      config: this.config,
      log: this.log,
      clock: { now: () => Date.now() },
      redis,
      org: this.org,
      defs: this.defs,
      outbox: this.outbox,
      timing: { ...quick, ...this.timing, ...timing },
    })
    let stopping: Promise<void> | undefined
    const worker: Worker = {
      engine,
      redis,
      kill: () => redis.close(),
      // A killed worker only has its timers to stop.
      stop() {
        stopping ??= engine.stop().then(() => redis.close())
        return stopping
      },
    }
    this.workers.push(worker)
    return worker
  }

  async end(): Promise<void> {
    for (const worker of this.workers) {
      await worker.stop()
    }
  }

  options(userId: number, change: Partial<QueueOptions> = {}): QueueOptions {
    return {
      userId,
      view: plainView,
      eventTypes: null,
      narrow: null,
      allPublicStreams: false,
      idleSeconds: 600,
      ...change,
    }
  }

  /** Registers a queue and completes the registration. */
  async queue(worker: Worker, userId: number, change: Partial<QueueOptions> = {}): Promise<string> {
    const { queueId } = await worker.engine.register(this.options(userId, change), async () => ({ snapshot: null }))
    return queueId
  }

  /** A committed write that is not published yet. */
  commit(n: number, audience: readonly number[], def: EventDef<{ n: number }> = noted, options: EmitOptions = {}) {
    return this.outbox.commit(encodeEmission({ def: def as unknown as EventDef, payload: { n }, audience, ...options }))
  }

  /** Commits and publishes numbers, one event each. */
  write(worker: Worker, numbers: readonly number[], audience: readonly number[], def = noted): void {
    for (const n of numbers) worker.engine.publish([this.commit(n, audience, def)])
  }

  /** Waits until the worker has read everything published so far. */
  async settled(worker: Worker): Promise<void> {
    const marker = ++this.outbox.lastId
    let isThere = false
    worker.engine.onEntry(({ payload }) => {
      if ((payload as { n?: number }).n === -marker) isThere = true
    })
    worker.engine.announce([{ def: noted as unknown as EventDef, payload: { n: -marker }, audience: [] }])
    await until(() => isThere)
  }

  async poll(
    worker: Worker,
    queueId: string,
    userId: number,
    { last, dontBlock = false }: { readonly last: number; readonly dontBlock?: boolean },
  ): Promise<WireEvent[]> {
    const { events } = await worker.engine.poll(queueId, userId, last, {
      dontBlock,
      signal: new AbortController().signal,
    })
    return events.map(event => JSON.parse(event) as WireEvent)
  }

  /** Polls and acknowledges until it has received this many numbers. */
  async drain(
    worker: Worker,
    queueId: string,
    userId: number,
    { last, count }: { readonly last: number; readonly count: number },
  ): Promise<WireEvent[]> {
    const all: WireEvent[] = []
    for (let id = last; numbersOf(all).length < count; ) {
      const events = await this.poll(worker, queueId, userId, { last: id })
      all.push(...events)
      id = events.at(-1)?.id ?? id
    }
    return all
  }
}

/** A rig with a Redis of the test run, or of this file. */
export async function startRig(
  t: Teardown,
  settings: Partial<Config> = {},
  timing: Partial<Timing> = {},
): Promise<Rig> {
  const url = process.env.TEST_REDIS_URL
  if (!url) return (await startRigWithRedis(t, settings, timing)).rig
  const rig = new Rig(url, settings, timing)
  t.teardown(() => rig.end())
  return rig
}

/** A rig with a Redis that the test may stop and kill. */
export async function startRigWithRedis(
  t: Teardown,
  settings: Partial<Config> = {},
  timing: Partial<Timing> = {},
  extraArgs: string[] = [],
) {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-redis-'))
  const log = createLog('silent', 'test')
  const start = () => startRedis({ dataDir, log, extraArgs })
  let server = await start()
  const rig = new Rig(server.url, settings, timing)
  t.teardown(async () => {
    await rig.end()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  return {
    rig,
    redis: {
      dataDir,
      kill: () => server.kill(),
      async start() {
        server = await start()
      },
    },
  }
}
