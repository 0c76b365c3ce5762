import type { JobRunner } from '../../../server/jobs/runner.js'
import { until } from '../../http/until.js'
import type { Loose } from '../../support/in-step.js'
import type { Person } from '../../support/people.js'
import type { TestServer } from '../../support/server.js'

/** What people do, and what it is decided about that. */
export class NotifyScene {
  private made = 0

  constructor(private readonly server: TestServer & { readonly jobs: Pick<JobRunner, 'look'> }) {}

  /** A channel of the owner with these subscribers. */
  async channel(owner: Person, others: readonly Person[], more: Loose = {}): Promise<number> {
    const name = `channel ${++this.made}`
    const principals = [owner.id, ...others.map(one => one.id)]
    await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals, ...more })
    return (await owner.ok('GET', '/get_stream_id', { stream: name })).stream_id
  }

  async direct(from: Person, to: readonly Person[], content = 'hello'): Promise<number> {
    return (await from.ok('POST', '/messages', { type: 'direct', to: to.map(one => one.id), content })).id
  }

  async post(from: Person, to: number, content = 'hello', topic = 'topic'): Promise<number> {
    return (await from.ok('POST', '/messages', { type: 'channel', to, topic, content })).id
  }

  /** All messages up to this one, and all edits, have been decided. */
  async decided(id: number): Promise<void> {
    const { sql } = this.server
    await until(async () => {
      const [row] = await sql<{ message_id: number }[]>`select message_id from notification_progress`
      return (row?.message_id ?? 0) >= id && (await sql`select from new_mentions`).length === 0
    })
  }

  /** The reason for which each user gets a mail of the message. */
  async reasons(id: number): Promise<Record<string, string>> {
    await this.decided(id)
    const rows = await this.server.sql<{ user_id: number; reason: string }[]>`
      select user_id, reason from missed_messages where message_id = ${id}`
    return Object.fromEntries(rows.map(row => [row.user_id, row.reason]))
  }

  /** The batching period of the user ends now; resolves when its mails were added. */
  async periodEnds({ id }: Person): Promise<void> {
    const { sql, jobs } = this.server
    await sql`update jobs set due = now() where key = ${`missed messages ${id}`}`
    jobs.look()
    await until(async () => (await sql`select from missed_mails where user_id = ${id}`).length === 0)
  }
}
