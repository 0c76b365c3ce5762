import { z } from 'zod'
import { JsonFields, type Route, route } from '../../server/api/route.js'
import { budgets } from '../../server/config/budgets.js'
import { readConfig } from '../../server/config.js'
import type { WorkerCtx } from '../../server/ctx.js'
import { type Listening, listen } from '../../server/http/listen.js'
import { createLog } from '../../server/log.js'
import { AcceptedHeaders } from '../../server/memory/accepted-headers.js'
import { boolean, integer, json, pathId, text } from '../../server/params/schemas.js'
import { administrators, anyAccount } from '../../server/policies/allow.js'
import type { Attachment, EventSocket, PollReceiver, WaitingReceiver } from '../../server/realtime/realtime.js'
import { addSocket } from '../../server/socket/socket.js'
import type { UserRow } from '../../server/store/users/users.js'
import { ApiError } from '../../shared/errors.js'
import { pack } from '../../shared/wire/codec.js'

/** The HTTP and socket layer alone, with real sockets, sample operations and a fake engine. */
export interface FakeServer extends Listening {
  readonly url: string
  readonly directory: FakeDirectory
  readonly engine: FakeEngine
  /** The logged objects. */
  readonly logged: Record<string, unknown>[]
  /** The called operations, in order. */
  readonly calls: string[]
}

export interface Teardown {
  teardown(work: () => unknown): unknown
}

/** API keys of users in the directory, and their Authorization headers. */
export const keys = { ann: 'a'.repeat(32), admin: 'b'.repeat(32), gone: 'c'.repeat(32), hook: 'd'.repeat(32) }
export const basic = (email: string, key: string): string =>
  `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`
export const ann = basic('Ann@example.org', keys.ann)

export class FakeDirectory {
  readonly organization = { is_active: true, settings: {} as Record<string, unknown>, version: 1 }
  readonly users = new Map<number, UserRow>()
  readonly usersByApiKey = new Map<string, UserRow>()
  readonly groups = new Map()
  readonly groupsByName = new Map()
  refreshes = 0
  readonly webPublicChannels = true
  /** Users in the database that the directory has not read yet. */
  pending: UserRow[] = []

  put(user: Partial<UserRow> & { id: number; api_key: string }): UserRow {
    const before = this.users.get(user.id)
    if (before) this.usersByApiKey.delete(before.api_key)
    const row = { role: 400, is_active: true, is_bot: false, bot_type: null, ...before, ...user } as UserRow
    this.users.set(row.id, row)
    this.usersByApiKey.set(row.api_key, row)
    return row
  }

  async fresh(): Promise<void> {
    this.refreshes++
    await new Promise(resolve => setImmediate(resolve))
    for (const user of this.pending.splice(0)) this.put(user)
  }
}

/** An engine that has every requested queue, except those named `gone…`. */
export class FakeEngine {
  consumer: EventSocket | undefined
  readonly calls: string[] = []
  polls = 0
  /** Settles a waiting poll. */
  wake: (events: string[]) => void = () => {}
  /** The poll that waits on the short path. */
  short: { readonly queueId: string; readonly lastEventId: number; readonly receiver: PollReceiver } | undefined

  async attach(queueId: string, userId: number, lastEventId: number, consumer: EventSocket): Promise<Attachment> {
    await new Promise(resolve => setImmediate(resolve))
    if (queueId.startsWith('gone')) {
      throw new ApiError('BAD_EVENT_QUEUE_ID', `Bad event queue id: ${queueId}`, { queue_id: queueId })
    }
    this.calls.push(`attach ${queueId} ${userId} ${lastEventId}`)
    this.consumer = consumer
    // As early as the interface allows.
    setImmediate(() => this.push(`first of ${queueId}`))
    return {
      queueId,
      acknowledge: id => {
        if (id === 999) throw new ApiError('BAD_REQUEST', 'An id that was never issued.')
        this.calls.push(`ack ${queueId} ${id}`)
      },
      drained: () => this.calls.push('drained'),
      detach: () => this.calls.push(`detach ${queueId}`),
    }
  }

  push(content: string): boolean {
    const { consumer } = this
    if (!consumer) throw new Error('nobody is attached')
    const frame = { op: 'events', events: [{ id: 1, type: 'x', content }] }
    return consumer.send(consumer.codec === 'json' ? JSON.stringify(frame) : pack(frame))
  }

  /** Queues named `elsewhere…` belong to another worker. */
  pollHere(queueId: string, _user: number, lastEventId: number, receiver: WaitingReceiver): boolean {
    if (queueId.startsWith('elsewhere')) return false
    this.short = { queueId, lastEventId, receiver }
    receiver.signal.addEventListener('abort', () => {
      this.short = undefined
    })
    return true
  }

  poll(
    queueId: string,
    _user: number,
    _last: number,
    { dontBlock, signal }: { dontBlock: boolean; signal: AbortSignal },
  ) {
    this.polls++
    if (dontBlock) return Promise.resolve({ queueId, events: [] })
    return new Promise((resolve, reject) => {
      this.wake = events => resolve({ queueId, events })
      signal.addEventListener('abort', () => {
        this.calls.push('poll aborted')
        reject(new DOMException('aborted', 'AbortError'))
      })
    })
  }
}

function sampleRoutes(calls: string[]): Route[] {
  const sample = (definition: Partial<Route> & Pick<Route, 'operation' | 'method' | 'path'>): Route => ({
    doc: '',
    allow: anyAccount,
    params: z.object({}),
    returns: z.object({}),
    errors: [],
    handle: async () => ({}),
    ...definition,
  })
  const echo = route({
    operation: 'echo',
    method: 'POST',
    path: '/echo',
    doc: '',
    allow: anyAccount,
    params: z.object({
      number: integer({ min: 0 }),
      flag: boolean().optional(),
      list: json(z.array(z.object({ name: z.string() }))).optional(),
      types: json(z.array(z.string())).optional(),
      note: text(budgets.textCharacters.most).optional(),
      setting: json(z.union([z.int(), z.object({ direct_members: z.array(z.int()) })])).optional(),
    }),
    returns: z.object({}),
    errors: [],
    handle: async ({ actor, params, client, address }) => ({ user_id: actor.user.id, params, client, address }),
  })
  const person = route({
    operation: 'person',
    method: 'GET',
    path: '/users/{email}',
    doc: '',
    allow: anyAccount,
    params: z.object({ email: text() }),
    returns: z.object({}),
    errors: [],
    handle: async ({ params }) => ({ email: params.email }),
  })
  const byId = route({
    operation: 'by_id',
    method: 'GET',
    path: '/users/{user_id}',
    doc: '',
    allow: anyAccount,
    params: z.object({ user_id: pathId(), deep: boolean().default(false) }),
    returns: z.object({}),
    errors: [],
    handle: async ({ params }) => params,
  })
  const view = route({
    operation: 'view',
    method: 'PATCH',
    path: '/views/{fragment*}',
    doc: '',
    allow: anyAccount,
    params: z.object({ fragment: text() }),
    returns: z.object({}),
    errors: [],
    handle: async ({ params }) => params,
  })
  const register = route({
    operation: 'register',
    method: 'POST',
    path: '/register',
    doc: '',
    allow: 'optional',
    params: z.object({ queue: text().default('q1') }),
    returns: z.object({}),
    errors: [],
    handle: async ({ actor, params }) =>
      new JsonFields(
        `"nested":{"queue_id":"no","text":"\\"queue_id\\":\\\\"},"queue_id":${actor ? JSON.stringify(params.queue) : null},"last_event_id":7`,
      ),
  })
  const wait = route({
    operation: 'wait',
    method: 'GET',
    path: '/wait',
    doc: '',
    allow: anyAccount,
    params: z.object({ queue_id: text(), dont_block: boolean().default(false) }),
    returns: z.object({}),
    errors: [],
    handle: async ({ ctx, actor, params, signal }) => {
      const { events } = await ctx.realtime.poll(params.queue_id, actor.user.id, -1, {
        dontBlock: params.dont_block,
        signal,
      })
      return new JsonFields(`"events":[${events.join()}]`)
    },
  })
  const events = sample({
    operation: 'get_events',
    method: 'GET',
    path: '/events',
    params: z.object({ queue_id: text(), last_event_id: integer({ min: -1 }) }),
    handle: async () => new JsonFields(Buffer.from('"events":[]'), ',"queue_id":"steps"'),
  })
  const sleep = route({
    operation: 'sleep',
    method: 'POST',
    path: '/sleep',
    doc: '',
    allow: anyAccount,
    params: z.object({ ms: integer() }),
    returns: z.object({}),
    errors: [],
    handle: async ({ params }) => {
      await new Promise(resolve => setTimeout(resolve, params.ms))
      return {}
    },
  })
  const work = route({
    operation: 'work',
    method: 'POST',
    path: '/work',
    doc: '',
    allow: 'optional',
    params: z.object({ ms: integer() }),
    returns: z.object({}),
    errors: [],
    handle: async ({ params }) => {
      const end = performance.now() + params.ms
      while (performance.now() < end);
      return {}
    },
  })
  const big = route({
    operation: 'big',
    method: 'GET',
    path: '/big',
    doc: '',
    allow: anyAccount,
    params: z.object({ bytes: integer() }),
    returns: z.object({}),
    errors: [],
    handle: async ({ params }) => ({ text: 'x'.repeat(params.bytes) }),
  })
  const routes = [
    sample({ operation: 'open', method: 'GET', path: '/open', allow: 'anyone', handle: async () => ({ open: true }) }),
    sample({ operation: 'me', method: 'GET', path: '/users/me' }),
    sample({ operation: 'admin', method: 'POST', path: '/admin', allow: administrators }),
    sample({ operation: 'send', method: 'POST', path: '/messages' }),
    sample({
      operation: 'broken',
      method: 'POST',
      path: '/broken',
      handle: async () => {
        throw new Error('secret of the inside')
      },
    }),
    sample({
      operation: 'unwritable',
      method: 'GET',
      path: '/unwritable',
      handle: async () => ({ id: 1n }),
    }),
    sample({
      operation: 'limited',
      method: 'GET',
      path: '/limited',
      handle: async () => {
        throw new ApiError('RATE_LIMIT_HIT', 'Too much.', { 'retry-after': 1.5 })
      },
    }),
    echo,
    person,
    byId,
    view,
    register,
    wait,
    events,
    sleep,
    work,
    big,
  ]
  return routes.map(one => ({
    ...one,
    handle(call) {
      calls.push(one.operation)
      return one.handle(call)
    },
  }))
}

/** Adds up rate-limit counts, like the script of `RequestCounts`. */
function countingRedis(): Pick<WorkerCtx['redis'], 'command'> {
  const sums = new Map<string, number>()
  const command = async (...[, , , key, points]: [string, string, number, string, number]) => {
    const sum = (sums.get(key) ?? 0) + Number(points)
    sums.set(key, sum)
    return sum
  }
  return { command: command as WorkerCtx['redis']['command'] }
}

export async function fakeServer(
  t: Teardown,
  settings: Record<string, string> = {},
  parts: Partial<Pick<WorkerCtx, 'redis' | 'clock'>> = {},
): Promise<FakeServer> {
  const directory = new FakeDirectory()
  directory.put({ id: 1, api_key: keys.ann, delivery_email: 'ann@example.org' })
  directory.put({ id: 2, api_key: keys.admin, delivery_email: 'admin@example.org', role: 200 })
  directory.put({ id: 3, api_key: keys.gone, delivery_email: 'gone@example.org', is_active: false })
  directory.put({ id: 4, api_key: keys.hook, delivery_email: 'hook@example.org', is_bot: true, bot_type: 2 })
  const engine = new FakeEngine()
  const logged: Record<string, unknown>[] = []
  const log = createLog('silent', 'test')
  log.error = ((entry: Record<string, unknown>) => logged.push(entry)) as never
  const config = readConfig({ PORT: '0', ...settings })
  const ctx = {
    config,
    log,
    clock: parts.clock ?? { now: () => Date.now() },
    directory,
    memory: { acceptedHeaders: new AcceptedHeaders(directory as never) },
    realtime: engine,
    redis: parts.redis ?? countingRedis(),
    publicUrl: 'http://chat.example',
    realmHost: 'chat.example',
  }
  const calls: string[] = []
  const fake = await listen(ctx as unknown as WorkerCtx, sampleRoutes(calls), addSocket)
  t.teardown(() => fake.stop())
  return {
    port: fake.port,
    activity: fake.activity,
    nativeRoutes: fake.nativeRoutes,
    figures: () => fake.figures(),
    sessionsEnded: userId => fake.sessionsEnded(userId),
    allSessionsEnded: () => fake.allSessionsEnded(),
    stop: linger => fake.stop(linger),
    url: `http://127.0.0.1:${fake.port}/api/v1`,
    directory,
    engine,
    logged,
    calls,
  }
}
