import { realmSettingDefaults } from '../../../shared/resources/realm-settings.js'
import { startingColor } from '../../actions/channels/colors.js'
import type { Config } from '../../config.js'
import { createLog } from '../../log.js'
import { wordStems } from '../../memory/word-stems.js'
import { administrator, guest, member, moderator, owner } from '../../policies/roles.js'
import { countChannelTraffic } from '../../store/channels/channel-traffic.js'
import type { Sql, Tx } from '../../store/driver/db.js'
import { openDatabase } from '../../store/driver/open-database.js'
import { bumpVersion } from '../../store/organization/organization.js'
import {
  analyzeSeeded,
  insertSeededChannels,
  insertSeededConversations,
  insertSeededGroups,
  insertSeededSubscriptions,
  insertSeededUsers,
  publishSeeded,
  readExtent,
  type SeededSubscription,
  type SeededUser,
} from '../../store/seeding/seeding.js'
import {
  insertSeededMessages,
  insertSeededReading,
  noteSeededChannels,
  type SeededMessage,
} from '../../store/seeding/seeding-messages.js'
import { languagesOf } from '../../text/search/stems.js'
import { searchVector } from '../../text/search/vector.js'
import { AdminError } from '../admin-error.js'
import { withDatabase } from '../database.js'
import type { Progress } from '../progress.js'
import { type ChannelPlan, makeChannels } from './channels.js'
import { makeConversations } from './conversations.js'
import { makeGroups } from './groups.js'
import { inBatches } from './in-batches.js'
import { makePeople } from './people.js'
import { Random } from './random.js'
import { makeReadings } from './reading.js'
import { type Place, talk } from './talk.js'

export interface SeedOptions {
  readonly users: number
  readonly channels: number
  readonly messages: number
  /** The same number creates the same organization, except for the API keys. */
  readonly seed: number
  /** Seed also an organization that has much data already. */
  readonly force: boolean
}

export interface Seeded {
  readonly users: number
  readonly groups: number
  readonly channels: number
  readonly subscriptions: number
  readonly conversations: number
  readonly messages: number
  /** Credentials of one account per role, and of a bot. */
  readonly accounts: readonly { email: string; api_key: string; user_id: number; role: number; is_bot: boolean }[]
}

// More than a demonstration has: a larger organization may contain real data.
const muchPeople = 100
const muchChannels = 50
const day = 24 * 60 * 60 * 1000
// Rows per statement: one statement takes some tenths of a second.
const messagesTogether = 4000
const subscriptionsTogether = 20_000

/**
 * Fills an organization with users, groups, channels, messages and read state in one transaction. Workers may run meanwhile; their changes
 * wait only at the end, from the new version to the commit.
 * @throws {AdminError} if the organization has much data already
 */
export async function seedOrganization(config: Config, options: SeedOptions, progress: Progress): Promise<Seeded> {
  return await withDatabase(
    config,
    createLog('warn', 'admin'),
    async ({ databaseUrl, databaseSocket, databaseSchema }) => {
      const sql = openDatabase({ url: databaseUrl, socket: databaseSocket }, databaseSchema, 2)
      try {
        const seeded = (await sql.begin(tx => seedIn(tx, options, progress))) as Seeded
        await countChannelTraffic(sql as Sql, new Date())
        return seeded
      } finally {
        await sql.end({ timeout: 5 })
      }
    },
  )
}

async function seedIn(tx: Tx, options: SeedOptions, progress: Progress): Promise<Seeded> {
  const extent = await readExtent(tx)
  if (!options.force && (extent.users > muchPeople || extent.channels > muchChannels || extent.messages)) {
    throw new AdminError('The organization contains much data already: --force adds to it nevertheless.')
  }
  const random = new Random(options.seed)
  const now = Date.now()

  progress.begin('people, groups and channels', 3)
  const users = makePeople(random, options.users, extent.user_id + 1, now)
  const userIds = await insertSeededUsers(tx, users)
  progress.advance(1)
  const active = users.flatMap((user, place) => (user.is_active ? [place] : []))
  const groups = makeGroups(random, active, extent.user_id + 1)
  await insertSeededGroups(tx, groups, userIds, new Date(now - 100 * day))
  progress.advance(1)
  const plans = makeChannels(random, { count: options.channels, users, first: extent.channel_id + 1, now })
  const channelIds = await insertSeededChannels(
    tx,
    plans.map(plan => plan.channel),
    userIds,
  )
  const channels = plans.map((plan, i) => ({ id: channelIds[i] as number, plan }))
  progress.end()

  const people = active.filter(place => users[place]?.bot_type === null)
  const sets = makeConversations(random, people, Math.ceil(Math.min(3 * options.users, options.messages / 20)))
  const conversationIds = await insertSeededConversations(
    tx,
    sets.map(set => set.map(place => userIds[place] as number)),
  )
  const conversations = sets.map((plan, i) => ({ id: conversationIds[i] as number, plan }))

  // Ids rise with time, so new messages must not be older than existing ones.
  const since = Math.max(now - 90 * day, extent.newest?.getTime() ?? 0)
  const dateOf = (i: number) => new Date(since + ((i + 1) / (options.messages + 1)) * (now - since))
  progress.begin('messages', options.messages)
  const stems = wordStems()(languagesOf(extent.search_languages ?? realmSettingDefaults.search_languages))
  const withWords = (message: SeededMessage) => ({
    ...message,
    search: searchVector(message.rendered_content, message.topic, stems),
  })
  const ids: number[] = []
  const said = talk(random, { users, userIds, channels, conversations }, options.messages, dateOf)
  for (const batch of inBatches(said, messagesTogether)) {
    ids.push(...(await insertSeededMessages(tx, batch.map(withWords))))
    progress.advance(batch.length)
  }
  progress.end()

  const subscriptions = [...subscriptionsOf(random, channels, { userIds, ids, next: extent.message_id + 1 })]
  progress.begin('subscriptions and what was read', subscriptions.length)
  for (const batch of inBatches(subscriptions, subscriptionsTogether)) {
    await insertSeededSubscriptions(tx, batch)
    progress.advance(batch.length)
  }
  await insertSeededReading(tx, makeReadings(random, userIds, ids))
  await noteSeededChannels(tx, channelIds)
  await analyzeSeeded(tx)
  // Last: changes of the organization wait from here to the commit.
  await publishSeeded(tx, await bumpVersion(tx))
  progress.end()

  return {
    users: users.length,
    groups: groups.length,
    channels: channels.length,
    subscriptions: subscriptions.length,
    conversations: conversations.length,
    messages: ids.length,
    accounts: someAccounts(users, userIds),
  }
}

function* subscriptionsOf(
  random: Random,
  channels: readonly Place<ChannelPlan>[],
  {
    userIds,
    ids,
    next,
  }: { readonly userIds: readonly number[]; readonly ids: readonly number[]; readonly next: number },
): Generator<SeededSubscription> {
  const end = ids.length > 0 ? (ids.at(-1) as number) + 1 : next
  const idAt = (share: number) => ids[Math.ceil(share * ids.length)] ?? end
  for (const { id, plan } of channels) {
    for (const { user, from, to } of plan.members) {
      yield {
        userId: userIds[user] as number,
        channelId: id,
        color: startingColor(id),
        isMuted: random.chance(0.05),
        isPinned: random.chance(0.03),
        from: idAt(from),
        to: to === 1 ? null : idAt(to),
      }
    }
  }
}

function someAccounts(users: readonly SeededUser[], userIds: readonly number[]): Seeded['accounts'] {
  const places = [owner, administrator, moderator, member, guest].map(role =>
    users.findIndex(user => user.role === role && user.is_active && user.bot_type === null),
  )
  const all = [...places, users.findIndex(user => user.is_active && user.bot_type === 1)]
  return all
    .filter(place => place >= 0)
    .map(place => {
      const { delivery_email, api_key, role, bot_type } = users[place] as SeededUser
      return { email: delivery_email, api_key, user_id: userIds[place] as number, role, is_bot: bot_type !== null }
    })
}
