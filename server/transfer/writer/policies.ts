import type { Ctx } from '../../ctx.js'
import { insertPolicies } from '../../store/imports/imported-messages.js'
import type { Source } from '../source.js'
import type { Here } from './here.js'
import { asTopic } from './titles.js'

// Rows per statement.
const together = 1000

const numbers = { muted: 1, unmuted: 2, followed: 3 } as const

/** What people have chosen for topics. Of a topic that has a policy here already, nothing is changed. */
export async function importPolicies(ctx: Ctx, { source, here }: { source: Source; here: Here }): Promise<void> {
  let batch: { userId: number; channelId: number; topic: string; policy: number }[] = []
  const end = async () => {
    if (batch.length > 0) await ctx.sql.begin(tx => insertPolicies(tx, batch))
    batch = []
  }
  for await (const { person, channel, topic, policy } of source.topicPolicies?.() ?? []) {
    const [userId, channelId] = [here.people.get(person), here.channels.get(channel)?.id]
    if (userId === undefined || channelId === undefined) continue
    batch.push({ userId, channelId, topic: asTopic(topic), policy: numbers[policy] })
    if (batch.length >= together) await end()
  }
  await end()
}
