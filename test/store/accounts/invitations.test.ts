import t from 'tap'
import { newLinkKey } from '../../../server/actions/accounts/new-secrets.js'
import * as store from '../../../server/store/accounts/invitations.js'
import { startServer } from '../../support/server.js'

const server = await startServer(t)
const { sql } = server
const now = new Date()
const inSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1000)
const [inviter, other] = [await server.person(), await server.person()]
const terms = (given: Partial<store.InvitationTerms> = {}): store.InvitationTerms => ({
  inviter_id: inviter.id,
  role: 400,
  created: now,
  expires: inSeconds(60),
  channel_ids: [3, 1],
  group_ids: [],
  with_default_channels: true,
  notifies_inviter: false,
  welcome_text: null,
  ...given,
})
const invite = (emails: readonly string[], given: Partial<store.InvitationTerms> = {}, remindAt: Date | null = null) =>
  sql.begin(async tx => {
    const invited = emails.map(email => ({ email, key: newLinkKey() }))
    const ids = await store.insertInvitations(tx, invited, terms(given), remindAt)
    return invited.map((one, i) => ({ ...one, id: ids[i] }))
  })

t.test('the key of an open invitation or link finds it, and no other key does', async t => {
  const [first, second] = await invite(['a@test.example', 'b@test.example'])
  t.match(await store.openInvitation(sql, String(first?.key), now), { id: first?.id, email: 'a@test.example' })
  t.same(
    { ...(await store.openInvitation(sql, String(second?.key), now)) },
    { ...terms(), key: second?.key, id: second?.id, email: 'b@test.example' },
  )
  const key = newLinkKey()
  const id = await sql.begin(tx => store.insertInvitationLink(tx, key, terms({ expires: null })))
  t.match(await store.openInvitation(sql, key, inSeconds(1e9)), { id, email: null, expires: null }, 'never')
  t.equal(await store.openInvitation(sql, String(first?.key), inSeconds(60)), undefined, 'expired')
  for (const wrong of ['', 'x', key.toUpperCase(), `${key}a`, `${key.slice(1)}\0`, newLinkKey()])
    t.equal(await store.openInvitation(sql, wrong, now), undefined, JSON.stringify(wrong))
})

t.test('an address has its newest open invitation, in any letter case, and all end together', async t => {
  const [first] = await invite(['Same@test.example'])
  const [second] = await invite(['same@test.example'], { inviter_id: other.id })
  await invite(['same@test.example'], { expires: inSeconds(-1) })
  t.match(await store.openInvitationTo(sql, 'SAME@test.example', now), { key: second?.key })
  const removed = await sql.begin(tx => store.removeInvitationsTo(tx, 'sAme@test.example'))
  t.same(removed.sort(), [inviter.id, other.id].sort())
  t.equal(await store.openInvitation(sql, String(first?.key), now), undefined)
  t.same(await sql.begin(tx => store.removeInvitationsTo(tx, 'same@test.example')), [], 'once')
})

t.test('a reminder is taken once, and not of an invitation that has expired', async t => {
  const [due] = await invite(['due@test.example'], {}, inSeconds(-5))
  await invite(['late@test.example'], { expires: inSeconds(-1) }, inSeconds(-5))
  await invite(['soon@test.example'], {}, inSeconds(5))
  const taken = () => sql.begin(tx => store.takeDueReminders(tx, now, 10))
  t.match(await taken(), [{ key: due?.key }])
  t.same([...(await taken())], [])
  await sql.begin(tx => store.removeExpiredInvitations(tx, now))
  t.same([...(await sql`select from invitations where email = 'late@test.example'`)], [])
  t.match(await store.openInvitationTo(sql, 'soon@test.example', now), { email: 'soon@test.example' })
})
