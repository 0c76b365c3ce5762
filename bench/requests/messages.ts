import { asks } from '../lib/request-load.js'
import type { Result } from '../lib/result.js'
import { measureRequests, type RequestCase } from './measure.js'

/** Measures pages of 100 messages of a place; `narrows` measures those that must be searched for. */
export const messages = (args: string[]): Promise<Result> =>
  measureRequests(args, async ({ seeded }) => {
    const people = await seeded.people(50)
    const [busy] = await seeded.rows<{ id: number; topic: string }>(
      `select channel_id as id, min(topic) as topic from messages
        where channel_id = (select channel_id from messages where channel_id is not null group by 1 order by count(*) desc limit 1)
        group by channel_id, lower(topic) order by count(*) desc limit 1`,
    )
    if (!busy) throw new Error('nothing was said')
    const of = (name: string, narrow: readonly object[]): RequestCase => {
      const page = { anchor: 'newest', num_before: '100', num_after: '0', narrow: JSON.stringify(narrow) }
      const requests = people.map(person => asks('GET', '/messages', person, page))
      return { name, requests, floor: { kind: 'bytes' }, atMostMs: 0.5, atMostPostgresMs: 0.5 }
    }
    const channel = { operator: 'channel', operand: busy.id }
    const topic = { operator: 'topic', operand: busy.topic }
    return [of('a channel', [channel]), of('a topic', [channel, topic])]
  })
