import type { Sql } from '../../server/store/driver/db.js'
import { bumpVersion } from '../../server/store/organization/organization.js'
import { runAdmin } from '../platform/admin/run-admin.js'
import { Api, type Credentials } from '../support/http.js'
import { createPerson, type Person } from '../support/people.js'
import type { TestOrganization } from '../support/server.js'
import type { Subjects } from './honest-values.js'

/** People who call the operations, in an organization large enough for requests at their limits. */
interface Callers {
  readonly owner: Api
  readonly bot: Person
  readonly subjects: Subjects
}

/** Fills the organization and makes what the requests are about. */
export async function makeSubjects(organization: TestOrganization, url: string): Promise<Callers> {
  const seeded = await runAdmin(organization, [
    'seed',
    '--users',
    '1500',
    '--channels',
    '60',
    '--messages',
    '6000',
    '--json',
  ])
  if (seeded.code !== 0) throw new Error(seeded.stderr)
  const [account] = JSON.parse(seeded.stdout).accounts as (Credentials & { id: number })[]
  if (!account) throw new Error('the seed made no owner')
  return subjectsOf(organization.sql, new Api(url, account))
}

/** Makes what the requests are about, in an organization with a user group, a message and a few people younger than the owner. */
export async function subjectsOf(sql: Sql, owner: Api): Promise<Callers> {
  const { url } = owner
  const { user_id: ownerId } = await owner.ok('GET', '/users/me')
  const bot = await createPerson(sql, url, { bot_type: 1, bot_owner_id: ownerId })
  const member = await createPerson(sql, url)
  await sql.begin(async tx => {
    await tx`update users set can_create_users = true, version = ${await bumpVersion(tx)} where id = ${ownerId}`
  })
  const [channelName, leftChannelName, changedChannelName] = ['cost', 'left', 'changed']
  await owner.ok('POST', '/users/me/subscriptions', {
    subscriptions: [channelName, leftChannelName, changedChannelName].map(name => ({ name })),
  })
  const { stream_id: channelId } = await owner.ok('GET', '/get_stream_id', { stream: channelName })
  const { stream_id: changedChannelId } = await owner.ok('GET', '/get_stream_id', { stream: changedChannelName })
  await owner.ok('POST', '/users/me/presence', { status: 'active' })
  const { device_id: deviceId } = await owner.ok('POST', '/register_client_device', {})
  const fragment = 'narrow/is/dm'
  await owner.ok('POST', '/navigation_views', { fragment, is_pinned: true, name: 'Mine' })
  const { id: ownMessageId } = await owner.ok('POST', '/messages', {
    type: 'channel',
    to: channelName,
    topic: 'topic',
    content: 'content',
  })
  const ids = await sql<{ user: number; message: number; group: number }[]>`
    select (select min(id) from users where not is_bot and id > ${ownerId}) as user,
      (select min(id) from messages) as message,
      (select min(id) from user_groups where name not like 'role:%') as group`
  const others = await sql<{ id: number }[]>`
    select id from users
    where not is_bot and is_active and id not in (${ownerId}, ${member.id}, ${Number(ids[0]?.user)})
    order by id`
  const { queue_id: queueId } = await owner.ok('POST', '/register', { event_types: ['message'] })
  const { saved_snippet_id: snippetId } = await owner.ok('POST', '/saved_snippets', {
    title: 'title',
    content: 'content',
  })
  const { id: linkifierId } = await owner.ok('POST', '/realm/filters', {
    pattern: '#(?P<id>[0-9]+)',
    url_template: 'https://example.com/{id}',
  })
  const { id: playgroundId } = await owner.ok('POST', '/realm/playgrounds', {
    name: 'place',
    pygments_language: 'Go',
    url_template: 'https://example.com/{code}',
  })
  const { user_id: botId } = await owner.ok('POST', '/bots', { full_name: 'Own bot', short_name: 'own' })
  const { new_domain } = await owner.ok('POST', '/realm/domains', { domain: 'team.example', allow_subdomains: true })
  return {
    owner,
    bot,
    subjects: {
      channelId,
      channelName,
      changedChannelId,
      leftChannelName,
      firstUserId: Number(ids[0]?.user),
      otherUserIds: others.map(({ id }) => Number(id)),
      groupId: Number(ids[0]?.group),
      firstMessageId: Number(ids[0]?.message),
      ownMessageId,
      linkifierId,
      playgroundId,
      botId,
      domain: new_domain[1],
      snippetId,
      queueId,
      deviceId,
      ownerId,
      memberId: member.id,
      email: member.email,
      fragment,
    },
  }
}
