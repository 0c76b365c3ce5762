import type { Command } from 'commander'
import { readConfig } from '../../config.js'
import { createLog } from '../../log.js'
import { Inspection, type QueueDescription, type WorkerQueues } from '../../realtime/inspection.js'
import { accountOf } from '../actor.js'
import { AdminError } from '../admin-error.js'
import { confirmed } from '../confirm.js'
import { type Json, leaf, noun, type Paged, paged, pageOf, yes } from '../leaf.js'
import { onOrganization } from '../on-organization.js'
import { fields, print, rest, say, table } from '../output.js'
import { withRedis } from '../redis.js'

type Shown = QueueDescription & { readonly worker: string; readonly email: string | null }

/** The commands `queue …` for the event queues of a running server. */
export function addQueueCommands(program: Command): void {
  const queue = noun(program, 'queue', 'Event queues of the server that runs.')
  addList(queue)
  leaf(queue, 'show', 'Shows one event queue.', ['queue show 0f3a9c…'])
    .argument('<queue>', 'its id')
    .action(async (id: string, { json }: Json) => {
      const one = find((await inspect()).queues, id)
      print(json, one, fields({ ...one }))
    })
  leaf(queue, 'drop', 'Deletes an event queue: its client gets BAD_EVENT_QUEUE_ID and registers again.', [
    'queue drop 0f3a9c… --yes',
  ])
    .argument('<queue>', 'its id')
    .addOption(yes())
    .action(async (id: string, { json, yes }: { yes: boolean } & Json) => {
      const one = await inspect(async (inspection, queues) => {
        const found = find(queues, id)
        await confirmed(yes, `Drop the queue ${id} of ${found.email ?? found.user_id}?`)
        if (!(await inspection.drop(id, found.user_id))) throw notThere(id)
        return found
      })
      print(json, { queue_id: id, user_id: one.result.user_id, dropped: true }, [`dropped ${id}`])
    })
}

interface Filters {
  readonly user?: string
  readonly unread: boolean
}

function addList(queue: Command): void {
  paged(
    leaf(queue, 'list', 'Lists event queues: whose, who reads them, and what waits in them.', [
      'queue list',
      'queue list --user amir@example.com --json',
      'queue list --unread',
    ]),
  )
    .option('--user <account>', "only this account's: address or id")
    .option('--unread', 'only those without a reader', false)
    .action(async ({ json, user, unread, ...page }: Filters & Paged & Json) => {
      const userId = user === undefined ? undefined : (await onOrganization(async ctx => accountOf(ctx, user))).id
      const { queues, silent } = await inspect()
      const all = queues
        .filter(one => (userId === undefined || one.user_id === userId) && !(unread && one.reader))
        .sort((a, b) => b.waiting - a.waiting || b.idle_seconds - a.idle_seconds)
      const shown = pageOf(all, page)
      for (const worker of silent) say(`the worker ${worker} does not answer: its queues are not in the list`)
      const lines = table(
        {
          queue: one => one.queue_id,
          user: one => one.email ?? one.user_id,
          'read by': one => one.reader ?? 'none',
          waiting: one => one.waiting,
          'idle s': one => one.idle_seconds,
          worker: one => one.worker,
          events: one => one.event_types?.join() ?? 'all',
        },
        shown,
      )
      const body = { total: all.length, queues: shown, silent_workers: silent }
      print(json, body, [...lines, ...rest(shown.length, all.length, page.offset)])
    })
}

interface Inspected<T> {
  readonly queues: Shown[]
  readonly silent: string[]
  readonly result: T
}

async function inspect(): Promise<Inspected<undefined>>
async function inspect<T>(work: (inspection: Inspection, queues: Shown[]) => Promise<T>): Promise<Inspected<T>>
async function inspect<T>(work?: (inspection: Inspection, queues: Shown[]) => Promise<T>) {
  const config = readConfig(process.env)
  const log = createLog('error', 'admin')
  return await onOrganization(ctx =>
    withRedis(config, log, async redis => {
      const { organization, users } = ctx.directory
      const inspection = new Inspection(redis, config.keyPrefix, organization.uuid)
      const workers = await inspection.workers()
      const queues = workers.flatMap(({ worker, queues }) =>
        queues.map(one => ({ ...one, worker, email: users.get(one.user_id)?.delivery_email ?? null })),
      )
      return { queues, silent: silentOf(workers), result: await work?.(inspection, queues) }
    }),
  )
}

const silentOf = (workers: readonly WorkerQueues[]): string[] =>
  workers.filter(({ answers }) => !answers).map(({ worker }) => worker)

function find(queues: readonly Shown[], id: string): Shown {
  const found = queues.find(one => one.queue_id === id)
  if (!found) throw notThere(id)
  return found
}

const notThere = (id: string): AdminError => new AdminError(`There is no event queue ${id}.`, 'BAD_EVENT_QUEUE_ID')
