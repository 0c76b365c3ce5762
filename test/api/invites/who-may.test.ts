import t from 'tap'
import { admits } from '../../../server/policies/joining.js'
import { openInvitation } from '../../../server/store/accounts/invitations.js'
import type { Loose } from '../../support/in-step.js'
import { deactivate, setUser } from '../../support/organization.js'
import type { Person } from '../../support/people.js'
import { startServer } from '../../support/server.js'
import { refused, scene } from './scene.js'

const { server, owner, admin, member, mails, invite, link, invites, invited, linked, channel } = await scene(t)
const { sql, ctx } = server
const unauthorized = refused('UNAUTHORIZED_PRINCIPAL')
const bad = refused('BAD_REQUEST')
const group = async (name: string): Promise<number> =>
  (await owner.ok('GET', '/user_groups')).user_groups.find((one: Loose) => one.name === name).id
const allow = async (setting: string, name: string) =>
  owner.ok('PATCH', '/realm', { [setting]: { new: await group(name) } })

t.test('mail and link are two rights, of which neither implies the other', async t => {
  t.match(await link(member), bad)
  await allow('create_multiuse_invite_group', 'role:members')
  await allow('can_invite_users_group', 'role:nobody')
  t.equal((await link(member)).status, 200)
  t.match(await invite(member, 'x@test.example'), bad)
  t.match(await invite(owner, 'x@test.example'), bad, 'owners, too')
  const user = (await member.ok('POST', '/register', { fetch_event_types: ['realm_user', 'realm'] })) as Loose
  t.match(user, { can_invite_others_to_realm: false, realm_create_multiuse_invite_group: await group('role:members') })
  await allow('can_invite_users_group', 'role:members')
  await allow('create_multiuse_invite_group', 'role:administrators')
  t.equal((await invite(member, 'x@test.example')).status, 200)
})

t.test('roles that a caller may not give', async t => {
  const moderator = await server.person({ role: 300 })
  for (const [who, invite_as, answer] of [
    [owner, 100, { status: 200 }],
    [admin, 100, unauthorized],
    [admin, 200, { status: 200 }],
    [admin, 300, { status: 200 }],
    [moderator, 100, unauthorized],
    [moderator, 200, bad],
    [moderator, 300, bad],
    [moderator, 600, { status: 200 }],
  ] as const) {
    t.match(await invite(who, 'r@test.example', { invite_as }), answer, `${who.full_name} as ${invite_as}`)
    if (who !== moderator) t.match(await link(who, { invite_as }), answer, `link of ${who.full_name} as ${invite_as}`)
  }
})

t.test('channels: those that the caller may read and subscribe others to, and default channels', async t => {
  const [open, closed, offered] = [
    await channel(owner, 'open'),
    await channel(owner, 'closed', { invite_only: true }),
    await channel(owner, 'offered'),
  ]
  const archived = await channel(owner, 'archived')
  await owner.ok('DELETE', `/streams/${archived}`)
  await owner.ok('POST', '/default_streams', { stream_id: offered })
  const wants = (who: Person, ...stream_ids: number[]) => invite(who, 'c@test.example', { stream_ids })
  t.equal((await wants(member, open, offered)).status, 200)
  for (const ids of [[closed], [open, closed], [archived], [open, 4_000_000]]) t.match(await wants(member, ...ids), bad)
  t.match(await wants(admin, closed), bad, 'an administrator who is not subscribed')
  t.equal((await wants(owner, closed)).status, 200)
  await allow('can_add_subscribers_group', 'role:moderators')
  t.match(await wants(member, open), bad)
  t.equal((await wants(member, offered)).status, 200, 'a default channel')
  t.equal((await wants(member)).status, 200, 'none')
  await allow('can_add_subscribers_group', 'role:members')
})

t.test('groups: those to which the caller may add members', async t => {
  const make = async (who: Person, name: string) =>
    (await who.ok('POST', '/user_groups/create', { name, description: '', members: [] })).group_id
  const [own, others, gone] = [await make(member, 'own'), await make(admin, 'others'), await make(member, 'gone')]
  await member.ok('POST', `/user_groups/${gone}/deactivate`)
  t.equal((await invite(member, 'g@test.example', { group_ids: [own] })).status, 200)
  for (const id of [others, gone, await group('role:members')])
    t.match(await invite(member, 'g@test.example', { group_ids: [own, id] }), bad)
  t.match(await link(admin, { group_ids: [await group('role:moderators')] }), bad)
})

t.test('administrators alone write the welcome message', async t => {
  const welcome_message_custom_text = 'Hello'
  t.match(await invite(member, 'w@test.example', { welcome_message_custom_text }), bad)
  t.equal((await invite(member, 'w@test.example', { welcome_message_custom_text: ' ' })).status, 200, 'none is written')
  t.equal((await invite(admin, 'w@test.example', { welcome_message_custom_text })).status, 200)
})

t.test('invitations for owners: administrators list them without the link, and owners do the rest', async t => {
  const byMail = await invited(owner, 'chief@test.example', { invite_as: 100 })
  const asLink = await linked(owner, { invite_as: 100 })
  const seen = await invites(admin)
  t.match(
    seen.find(one => one.id === byMail.id && !one.is_multiuse),
    { email: 'chief@test.example', invited_as: 100 },
  )
  const shown = seen.find(one => one.id === asLink.id && one.is_multiuse) as Loose
  t.equal('link_url' in shown, false, 'with it an administrator could make an owner')
  const second = await server.person({ role: 100 })
  t.ok((await invites(second)).find(one => one.id === asLink.id && one.is_multiuse)?.link_url)
  for (const who of [admin]) {
    t.match(await who.post(`/invites/${byMail.id}/resend`), unauthorized)
    t.match(await who.delete(`/invites/${byMail.id}`), unauthorized)
    t.match(await who.delete(`/invites/multiuse/${asLink.id}`), unauthorized)
  }
  t.match(await member.delete(`/invites/${byMail.id}`), bad)
  t.equal((await second.post(`/invites/${byMail.id}/resend`)).status, 200)
  t.equal((await second.delete(`/invites/${byMail.id}`)).status, 200)
  t.equal((await second.delete(`/invites/multiuse/${asLink.id}`)).status, 200)
})

t.test('without a mail server administrators see the links of invitations by mail, and only they', async t => {
  const plain = await invited(member, 'plain@test.example')
  const chief = await invited(owner, 'head@test.example', { invite_as: 100 })
  const linkFor = async (who: Person, { id }: Loose) =>
    (await invites(who)).find(one => one.id === id && !one.is_multiuse)?.link_url
  const link = await linkFor(admin, plain)
  t.match(link, /\/accounts\/do_confirm\/[a-z2-7]{24}$/)
  const { status } = await fetch(server.url + new URL(String(link)).pathname)
  t.equal(status, 200, 'the link opens the form')
  t.equal(await linkFor(member, plain), undefined, 'also not the inviter')
  t.equal(await linkFor(admin, chief), undefined, 'with it an administrator could make an owner')
  t.ok(await linkFor(owner, chief))
  const mailing = await startServer(t, { SMTP_URL: 'smtp://127.0.0.1:9' }, server.organization)
  t.notMatch(JSON.stringify((await mailing.api(admin.who).ok('GET', '/invites')).invites), 'do_confirm')
})

t.test(
  'a demoted administrator lists and revokes, but admits no account with a role that it may no longer give',
  async t => {
    const boss = await server.person({ role: 200 })
    const [high, low] = [
      await invited(boss, 'high@test.example', { invite_as: 300 }),
      await invited(boss, 'low@test.example'),
    ]
    const asLink = await linked(boss, { invite_as: 200 })
    await mails()
    const key = String(asLink.link_url).slice(-25, -1)
    const usable = async () => {
      const row = await openInvitation(sql, key, new Date())
      await ctx.directory.fresh()
      return row !== undefined && admits(ctx.directory, row)
    }
    t.equal(await usable(), true)
    await setUser(sql, boss.id, { role: 400 })
    t.equal(await usable(), false)
    t.same(
      (await invites(boss)).map(one => one.invited_as),
      [300, 400, 200],
      'with the roles that they have',
    )
    t.match(await boss.post(`/invites/${high.id}/resend`), bad)
    t.match(await admin.post(`/invites/${high.id}/resend`), bad, 'also by others')
    t.equal((await boss.post(`/invites/${low.id}/resend`)).status, 200)
    t.match(await mails(), [{ to: 'low@test.example' }])
    t.equal((await boss.delete(`/invites/${high.id}`)).status, 200)
    await setUser(sql, boss.id, { role: 200 })
    t.equal(await usable(), true, 'the role has returned')
    await deactivate(sql, boss.id)
    t.equal(await usable(), false, 'a release before has deactivated the account, and revoked nothing')
  },
)
