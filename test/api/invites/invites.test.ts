import t from 'tap'
import { signUp } from '../../../server/actions/joining/sign-up.js'
import { remindInvited } from '../../../server/jobs/remind-invited.js'
import { openInvitation } from '../../../server/store/accounts/invitations.js'
import { Listener, type Loose } from '../../support/in-step.js'
import { setOrganization } from '../../support/organization.js'
import { statementsOf } from '../../support/queries.js'
import { failed, refused, scene } from './scene.js'

const { server, time, owner, admin, member, mails, invite, link, invites, invited, linked, channel } = await scene(t)
const { sql, ctx } = server
const minute = 60_000
const day = 1440 * minute
const keyIn = (text: string | undefined) => /do_confirm\/([a-z2-7]{24})$/m.exec(text ?? '')?.[1] ?? 'none'
const found = (key: string) => openInvitation(sql, key, new Date(time.now))
const remind = async () =>
  remindInvited.run(ctx, {}, { signal: new AbortController().signal } as Parameters<typeof remindInvited.run>[2])

t.test(
  'each address gets a mail with a key of its own, and stands in the lists of its inviter and of administrators',
  async t => {
    const general = await channel(member, 'general')
    const { group_id } = await member.ok('POST', '/user_groups/create', { name: 'crew', description: '', members: [] })
    const stranger = await server.person()
    const ears = await Promise.all([owner, admin, member].map(one => Listener.start(ctx, one)))
    const other = await Listener.start(ctx, stranger)
    await member.ok('POST', '/invites', {
      invitee_emails: ' Ann <ann@test.example>,bob@test.example\r\n,, ANN@test.example\n',
      stream_ids: [general],
      group_ids: [group_id],
      invite_as: 600,
      invite_expires_in_minutes: 60,
      notify_referrer_on_join: false,
      include_realm_default_subscriptions: true,
    })
    for (const ear of ears) t.match(await ear.inStep(t), [{ type: 'invites_changed' }], 'once a request')
    t.same(await other.inStep(t), [], 'other members get nothing')
    const own = await invites(member)
    const seconds = Math.floor(time.now / 1000)
    const terms = { invited_by_user_id: member.id, invited: seconds, expiry_date: seconds + 3600, invited_as: 600 }
    t.same(
      own.map(({ id: _, ...rest }) => rest),
      ['ann@test.example', 'bob@test.example'].map(email => ({
        ...terms,
        is_multiuse: false,
        email,
        notify_referrer_on_join: false,
      })),
    )
    t.same(
      (await invites(admin)).map(({ link_url: _, ...rest }) => rest),
      own,
    )
    t.same(await invites(other.person), [])
    const sent = await mails()
    t.same(sent.map(({ to }) => to).sort(), ['ann@test.example', 'bob@test.example'])
    const keys = sent.map(({ text }) => keyIn(text))
    t.not(keys[0], keys[1])
    const {
      key: _,
      id: __,
      email: ___,
      created: ____,
      expires: _____,
      ...stored
    } = (await found(String(keys[0]))) as Loose
    t.same(stored, {
      inviter_id: member.id,
      role: 600,
      channel_ids: [general],
      group_ids: [group_id],
      with_default_channels: true,
      notifies_inviter: false,
      welcome_text: null,
    })
    t.match(sent[0]?.subject, member.full_name)
    t.match(sent[0]?.html, `href="${ctx.publicUrl}/accounts/do_confirm/${keys[0]}"`)
  },
)

t.test('a link is made, listed behind the invitations by mail, and revoked', async t => {
  const ear = await Listener.start(ctx, owner)
  const { invite_link } = await admin.ok('POST', '/invites/multiuse', {
    invite_as: 300,
    invite_expires_in_minutes: null,
    stream_ids: [],
    group_ids: [],
    include_realm_default_subscriptions: true,
    welcome_message_custom_text: ' Hello **there** ',
  })
  t.match(invite_link, new RegExp(`^${ctx.publicUrl}/join/[a-z2-7]{24}/$`))
  const listed = (await invites(owner)).at(-1) as Loose
  const { id, ...rest } = listed
  t.same(rest, {
    invited_by_user_id: admin.id,
    invited: Math.floor(time.now / 1000),
    expiry_date: null,
    invited_as: 300,
    is_multiuse: true,
    link_url: invite_link,
  })
  const key = invite_link.slice(-25, -1)
  t.match(await found(key), { role: 300, with_default_channels: true, welcome_text: 'Hello **there**' })
  await admin.ok('DELETE', `/invites/multiuse/${id}`)
  t.equal(await found(key), undefined)
  t.match(await admin.delete(`/invites/multiuse/${id}`), refused('BAD_REQUEST'), 'once')
  t.match(await ear.inStep(t), [{ type: 'invites_changed' }, { type: 'invites_changed' }])
  // The defaults: a member, ten days.
  const plain = await linked(admin)
  t.match(plain, { invited_as: 400, expiry_date: plain.invited + 864_000 })
  await admin.ok('DELETE', `/invites/multiuse/${plain.id}`)
})

t.test('the same key is mailed again; a revocation ends it and cancels mails that wait', async t => {
  const { id } = await invited(member, 'again@test.example')
  const [first] = await mails()
  time.now += minute
  const before = await invites(member)
  const ear = await Listener.start(ctx, member)
  await member.ok('POST', `/invites/${id}/resend`)
  await admin.ok('POST', `/invites/${id}/resend`)
  t.same(
    (await mails()).map(({ to, text }) => [to, keyIn(text)]),
    Array(2).fill([first?.to, keyIn(first?.text)]),
  )
  t.same(await invites(member), before, 'the list is as before')
  t.same(await ear.inStep(t), [], 'no event')
  await sql`insert into jobs (kind, key, payload, due) values ('mail', ${`invitation ${id}`}, '{}', now() + interval '1 day')`
  await member.ok('DELETE', `/invites/${id}`)
  t.same([...(await sql`select from jobs where kind = 'mail'`)], [])
  t.equal(await found(keyIn(first?.text)), undefined)
  t.match(await ear.inStep(t), [{ type: 'invites_changed' }])
  for (const refusal of [await member.post(`/invites/${id}/resend`), await member.delete(`/invites/${id}`)])
    t.match(refusal, refused('BAD_REQUEST'), 'used up')
})

t.test('addresses that cannot have an account: none is invited, and each has its reason', async t => {
  const gone = await server.person({ email: 'gone@team.example', is_active: false })
  const present = await server.person({ email: 'present@team.example' })
  await setOrganization(sql, { emails_restricted_to_domains: true })
  t.teardown(() => setOrganization(sql, { emails_restricted_to_domains: false }))
  await owner.ok('POST', '/realm/domains', { domain: 'team.example', allow_subdomains: true })
  const before = await invites(admin)
  const ear = await Listener.start(ctx, member)
  const wrong = [
    'no address',
    'a;b@team.example',
    'x@elsewhere.example',
    'a+b@sub.team.example',
    'bot@system.invalid',
    `${'x'.repeat(250)}@team.example`,
  ]
  const text = ['good@team.example', ...wrong, present.email.toUpperCase(), gone.email].join('\n')
  const answer = await invite(member, text)
  t.match(answer, failed([], false))
  const byAddress = new Map<string, Loose>(answer.body.errors.map((one: Loose) => [one[0], one]))
  t.same([...byAddress.keys()].sort(), [...wrong, present.email.toUpperCase(), gone.email].sort())
  t.same(byAddress.get(gone.email)?.[2], true, 'deactivated')
  t.same([...byAddress.values()].filter(one => one[2]).length, 1)
  t.equal(
    new Set([...byAddress.values()].map(one => one[1])).size,
    6,
    'invalid, domain, plus, reserved, taken, deactivated',
  )
  t.same(await invites(admin), before)
  t.same(await mails(), [])
  t.same(await ear.inStep(t), [])
})

t.test('addresses with accounts are left out; if all have one, none is invited', async t => {
  const text = `${owner.email}, fresh@test.example`
  t.match(await invite(member, text), failed([[owner.email, /./, false]], true))
  t.match(await mails(), [{ to: 'fresh@test.example' }])
  t.match(await invite(member, `${owner.email},${admin.email},`), failed([[owner.email], [admin.email]], false))
  for (const nothing of ['', ' ,\n, ']) t.match(await invite(member, nothing), refused('BAD_REQUEST'), 'no address')
  await invited(member, 'fresh@test.example')
  t.equal((await invites(member)).filter(one => one.email === 'fresh@test.example').length, 2, 'several open ones')
  await mails()
})

t.test('a repeated request gets the answer of the first one, also the partial failure', async t => {
  const send = (key: string, invitee_emails: string) =>
    fetch(`${server.url}/api/v1/invites`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`${member.email}:${member.api_key}`)}`, 'Idempotency-Key': key },
      body: new URLSearchParams({ invitee_emails, stream_ids: '[]' }),
    }).then(answer => answer.json() as Promise<Loose>)
  const text = `${owner.email}, keyed@test.example`
  const first = await send('key-1', text)
  t.match(first, { code: 'INVITATION_FAILED', sent_invitations: true, errors: [[owner.email]] })
  t.same(await send('key-1', text), first)
  t.equal((await mails()).length, 1)
})

t.test('parameters that are refused change nothing', async t => {
  const before = await invites(admin)
  const cases: [string, Loose][] = [
    ['REQUEST_VARIABLE_MISSING', { invitee_emails: undefined }],
    ['REQUEST_VARIABLE_MISSING', { stream_ids: undefined }],
    ['BAD_REQUEST', { stream_ids: [99_999] }],
    ['BAD_REQUEST', { stream_ids: 'x' }],
    ['BAD_REQUEST', { group_ids: [99_999] }],
    ['BAD_REQUEST', { invite_as: 500 }],
    ['BAD_REQUEST', { invite_expires_in_minutes: 0 }],
    ['BAD_REQUEST', { invite_expires_in_minutes: -5 }],
    ['BAD_REQUEST', { invite_expires_in_minutes: 1e15 }],
    ['BAD_REQUEST', { invite_expires_in_minutes: 'never' }],
    ['BAD_REQUEST', { notify_referrer_on_join: 'maybe' }],
    ['BAD_REQUEST', { include_realm_default_subscriptions: 'maybe' }],
    ['BAD_REQUEST', { welcome_message_custom_text: 'x'.repeat(8001) }],
    ['BAD_REQUEST', { welcome_message_custom_text: 'a\0b' }],
    ['BAD_REQUEST', { invitee_emails: Array.from({ length: 1001 }, (_, i) => `p${i}@test.example`).join() }],
    ['BAD_REQUEST', { invitee_emails: 'x'.repeat(260_001) }],
  ]
  for (const [code, sent] of cases) {
    const request = { invitee_emails: 'never@test.example', stream_ids: [], ...sent }
    t.match(await admin.post('/invites', request), refused(code), JSON.stringify(sent).slice(0, 80))
    if ('invitee_emails' in sent || sent.stream_ids === undefined || 'notify_referrer_on_join' in sent) continue
    t.match(await link(admin, sent), refused(code), `link ${JSON.stringify(sent).slice(0, 80)}`)
  }
  for (const id of ['99999999999', '2147483647', '0']) {
    t.match(await admin.post(`/invites/${id}/resend`), { status: 400 }, id)
    t.match(await admin.delete(`/invites/${id}`), { status: 400 }, id)
    t.match(await admin.delete(`/invites/multiuse/${id}`), { status: 400 }, id)
  }
  t.same(await invites(admin), before)
  t.same(await mails(), [])
  const far = await invited(admin, 'far@test.example', { invite_expires_in_minutes: 2_147_483_647 })
  t.equal(far.expiry_date, far.invited + 2_147_483_647 * 60, 'four thousand years')
  await mails()
})

t.test('an address gets five invitations a day by all inviters together, resent ones counted', async t => {
  const often = 'Often@test.example'
  const first = await invited(member, often)
  for (let i = 0; i < 2; i++) await admin.ok('POST', `/invites/${first.id}/resend`)
  await invited(admin, often.toLowerCase())
  await member.ok('DELETE', `/invites/${first.id}`)
  t.equal((await invite(owner, `${often}, one@test.example`)).status, 200)
  const last = (await invites(owner)).find(one => one.email === often)
  t.equal((await mails()).length, 6, 'a revocation gives none back')
  const tooOften = [[often, 'Invited too often today.', false]]
  t.match(
    await invite(owner, `${often}, another@test.example`),
    failed(tooOften, false),
    'and no other address of the request is invited',
  )
  t.match(await admin.post(`/invites/${last?.id}/resend`), refused('BAD_REQUEST'))
  t.same(await mails(), [])
  t.equal((await invite(owner, 'another@test.example')).status, 200)
  time.now += day
  t.equal((await invite(owner, often)).status, 200, 'the next day')
  t.equal((await mails()).length, 2)
  await remind()
  const [row] = await sql`select array_agg(address) as addresses from invitation_mails`
  t.same(row?.addresses, [often.toLowerCase()], 'counts of earlier days are removed')
})

t.test('an invitation ends at its time, is reminded of once two days before, and its row goes', async t => {
  const short = await invited(member, 'short@test.example', { invite_expires_in_minutes: 4 * 1440 - 1 })
  const long = await invited(member, 'long@test.example', { invite_expires_in_minutes: 4 * 1440 })
  const withdrawn = await invited(member, 'withdrawn@test.example', { invite_expires_in_minutes: 4 * 1440 })
  await invited(member, 'forever@test.example', { invite_expires_in_minutes: null })
  const keys = new Map((await mails()).map(({ to, text }) => [to, keyIn(text)]))
  await member.ok('DELETE', `/invites/${withdrawn.id}`)
  await remind()
  t.same(await mails(), [], 'not yet')
  time.now += 2 * day
  await remind()
  await remind()
  const [reminder, ...rest] = await mails()
  t.same(rest, [], 'one only: the short one has none, and the revoked one no more')
  t.match(reminder, { to: 'long@test.example', subject: /ends soon/ })
  t.equal(keyIn(reminder?.text), keys.get('long@test.example'))
  time.now += 2 * day - 1
  t.ok(await found(String(keys.get('long@test.example'))))
  t.equal(
    (await invites(member)).some(({ id }) => id === short.id),
    false,
  )
  time.now += 1
  t.equal(await found(String(keys.get('long@test.example'))), undefined)
  t.equal(
    (await invites(member)).some(({ id }) => id === long.id),
    false,
  )
  t.match(await member.post(`/invites/${long.id}/resend`), refused('BAD_REQUEST'), 'expired')
  await remind()
  t.same([...(await sql`select from invitations where email = 'long@test.example'`)], [])
  t.ok(await found(String(keys.get('forever@test.example'))))
})

t.test('a person who joins uses up all invitations of the address, and each inviter gets to know', async t => {
  const other = await server.person()
  await invited(member, 'new@test.example')
  const [mail] = await mails()
  await invited(other, 'New@test.example')
  const ears = [admin, member, other].map(one =>
    Listener.start(ctx, one, { event_types: ['invites_changed', 'default_streams'] }),
  )
  await Promise.all(ears)
  const form = { fullName: 'Nadia New', password: 'seven tall wooden boats', channelGroups: [] }
  t.match(await signUp(ctx, keyIn(mail?.text), form), { user: { full_name: 'Nadia New', role: 400 } })
  for (const ear of ears) t.match(await (await ear).events(), [{ type: 'invites_changed' }])
  t.equal(
    (await invites(admin)).some(one => /new@/i.test(one.email ?? '')),
    false,
  )
})

t.test('a deactivation revokes what the account has made, before the event of the user', async t => {
  const leaving = await server.person({ role: 200 })
  await invited(leaving, 'orphan@test.example')
  await linked(leaving)
  const [mail] = await mails()
  const ear = await Listener.start(ctx, admin, { event_types: ['invites_changed', 'realm_user', 'default_streams'] })
  const stranger = await Listener.start(ctx, member, { event_types: ['invites_changed', 'default_streams'] })
  await owner.ok('DELETE', `/users/${leaving.id}`)
  t.match(
    (await ear.events()).map(event => event.type),
    ['invites_changed', 'realm_user'],
  )
  t.same(await stranger.events(), [])
  t.equal(await found(keyIn(mail?.text)), undefined)
  await owner.ok('POST', `/users/${leaving.id}/reactivate`)
  t.equal(
    (await invites(admin)).some(one => one.invited_by_user_id === leaving.id),
    false,
    'none comes back',
  )
})

t.test('a list that is read while invitations are revoked is always whole', async t => {
  await invite(member, Array.from({ length: 20 }, (_, i) => `race${i}@test.example`).join())
  const own = (await invites(member)).filter(one => one.email?.startsWith('race'))
  const [lists, ends] = await Promise.all([
    Promise.all(Array.from({ length: 10 }, () => invites(member))),
    Promise.all(own.flatMap(({ id }) => [member.delete(`/invites/${id}`), admin.delete(`/invites/${id}`)])),
  ])
  t.equal(lists.length, 10)
  t.equal(ends.filter(({ status }) => status === 200).length, own.length, 'each was revoked once')
  t.equal(ends.filter(({ status }) => status === 400).length, own.length)
  await mails()
})

t.test('1,000 addresses take as many statements as one', async t => {
  const some = (count: number, name: string) =>
    Array.from({ length: count }, (_, i) => `${name}${i}@test.example`).join('\n')
  const few = await statementsOf(server, () => invite(admin, some(1, 'one')))
  const many = await statementsOf(server, () => invite(admin, some(1000, 'many')))
  t.same(many.length, few.length)
  t.equal((await invites(admin)).filter(one => one.email?.startsWith('many')).length, 1000)
  await sql`delete from jobs where kind = 'mail'`
  await sql`delete from invitations where inviter_id = ${admin.id}`
})

t.test('accounts that are younger than three days invite only by link where no invitation is needed', async t => {
  const settings = { invite_required: false }
  await setOrganization(sql, settings)
  t.teardown(() => setOrganization(sql, { invite_required: true }))
  const [young, old] = [
    server.person({ date_joined: new Date(time.now - 3 * day + minute) }),
    server.person({ date_joined: new Date(time.now - 3 * day) }),
  ]
  t.match(await invite(await young, 'y@test.example'), failed([], false))
  t.equal((await invite(await old, 'o@test.example')).status, 200)
  t.equal(
    (await invite(await server.person({ role: 200, date_joined: new Date(time.now) }), 'a@test.example')).status,
    200,
  )
  const group = (await owner.ok('GET', '/user_groups')).user_groups.find((one: Loose) => one.name === 'role:members')
  await owner.ok('PATCH', '/realm', { create_multiuse_invite_group: { new: group.id } })
  t.equal((await link(await young)).status, 200)
})

t.test('a person can send 200 requests with mails in an hour', async t => {
  const eager = await server.person()
  for (let i = 0; i < 5; i++) t.match(await invite(eager, ''), refused('BAD_REQUEST'), 'not counted')
  const { id } = await invited(eager, 'e@test.example')
  for (let i = 0; i < 199; i++) t.match(await eager.post(`/invites/${id + 1}/resend`), refused('BAD_REQUEST'))
  t.match(await eager.post(`/invites/${id}/resend`), { status: 429, body: { code: 'RATE_LIMIT_HIT' } })
  t.match(await link(eager), { status: 429, body: { code: 'RATE_LIMIT_HIT' } })
  time.now += 3_600_000
  t.equal((await eager.post(`/invites/${id}/resend`)).status, 200)
})

t.test('an account has a bounded number of open invitations, also when it asks twice at once', async t => {
  const busy = await server.person({ role: 200 })
  await server.sql`
    insert into invitations (key, id, inviter_id, role, created, channel_ids, group_ids, with_default_channels, notifies_inviter)
    select translate(lpad(n::text, 24, 'a'), '0189', 'uvwx'), 100000 + n, ${busy.id}, 400, now(), '{}', '{}', true, false from generate_series(1, 9999) as n`
  const ask = () => busy.post('/invites/multiuse', {})
  const answers = await Promise.all([ask(), ask(), ask()])
  t.same(answers.map(({ status }) => status).sort(), [200, 400, 400])
  t.match(await ask(), { status: 400, body: { msg: 'An account may have at most 10000 open invitations.' } })
  const [row] = await server.sql`select count(*)::int as count from invitations where inviter_id = ${busy.id}`
  t.equal(row?.count, 10_000)
})
