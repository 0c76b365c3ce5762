import { randomBytes } from 'node:crypto'
import t from 'tap'
import { insertInvitationLink, insertInvitations } from '../../../server/store/accounts/invitations.js'
import { setOrganization } from '../../support/organization.js'
import { Browser, publicUrl } from '../../support/providers/browser.js'
import { Company } from '../../support/providers/company.js'
import { startServer } from '../../support/server.js'

const company = await Company.start(t)
const mapping = { groups: { eng: 'engineers' }, roles: { admins: 'administrator', externals: 'guest' } }
const server = await startServer(t, {
  OIDC_PROVIDERS: JSON.stringify([company.settings(mapping)]),
  PUBLIC_URL: publicUrl,
})
company.serverUrl = server.url
const owner = await server.person({ role: 100, full_name: 'Ada Lovelace' })
await owner.ok('POST', '/user_groups/create', { name: 'engineers', description: '', members: [] })
const { id: general } = await owner.ok('POST', '/channels/create', { name: 'general', subscribers: [owner.id] })
const { id: other } = await owner.ok('POST', '/channels/create', { name: 'other', subscribers: [owner.id] })
await owner.ok('POST', '/default_streams', { stream_id: general })
const [login, register] = ['login', 'register'].map(word => `${publicUrl}/accounts/${word}/social/oidc`)
const isApp = (location: string) => location.startsWith('service:')
let people = 0

function newcomer(more = {}): string {
  const email = `new${++people}-${randomBytes(4).toString('hex')}@test.example`
  company.people.set(email, { email, email_verified: true, name: `New Person ${people}`, ...more })
  company.present = email
  return email
}

const pad = () => `mobile_flow_otp=${randomBytes(32).toString('hex')}`
const open = (url: string | undefined, query = pad()) =>
  new Browser({ [publicUrl]: server.url }).follow(`${url}?${query}`, isApp)

async function account(email: string) {
  const { members } = await owner.ok('GET', '/users')
  const found = (members as { delivery_email: string; user_id: number; role: number; full_name: string }[]).find(
    one => one.delivery_email === email,
  )
  if (!found) return undefined
  const rows = await server.sql<{ channel_id: number }[]>`
    select channel_id from subscriptions where user_id = ${found.user_id} and is_active order by channel_id`
  return { role: found.role, name: found.full_name, channels: rows.map(row => row.channel_id) }
}

const terms = (more = {}) => ({
  inviter_id: owner.id,
  role: 300,
  created: new Date(),
  expires: null,
  channel_ids: [other],
  group_ids: [],
  with_default_channels: false,
  notifies_inviter: true,
  welcome_text: null,
  ...more,
})
const newKey = () => Array.from(randomBytes(24), byte => 'abcdefghijklmnopqrstuvwxyz234567'[byte % 32]).join('')

async function heading(url: string | undefined, query?: string) {
  const { answer } = await open(url, query)
  return `${answer.status} ${/<h1[^>]*>([^<]*)/.exec(await answer.text())?.[1]}`
}

t.test('a person without an invitation does not join where one is needed', async t => {
  const email = newcomer()
  for (const url of [login, register]) {
    const { answer } = await open(url)
    t.match(await answer.text(), 'you cannot join by yourself')
  }
  const text = await (await open(register, `multiuse_object_key=${newKey()}`)).answer.text()
  t.match(text, 'you cannot join by yourself', 'an unknown link')
  t.equal(await account(email), undefined)
})

t.test('an invitation to the address counts, with all that it says', async t => {
  const email = newcomer()
  const key = newKey()
  await server.sql.begin(tx => insertInvitations(tx as never, [{ email: email.toUpperCase(), key }], terms(), null))
  t.equal(await heading(login), '200 No account', 'it asks first')
  t.equal(await account(email), undefined)
  const { url } = await open(register)
  t.ok(isApp(url), 'signing up ends in the app')
  t.same(await account(email), { role: 300, name: `New Person ${people}`, channels: [other] })
  t.same(await server.sql`select key from invitations where key = ${key}`, [], 'it is used up')
  t.ok(isApp((await open(login)).url), 'the next time the person only signs in')
})

t.test('the key of a link is carried to the end; a role of the claims beats its role', async t => {
  const key = newKey()
  await server.sql.begin(tx => insertInvitationLink(tx as never, key, terms({ with_default_channels: true })))
  const plain = newcomer()
  const page = await (await fetch(`${server.url}/join/${key}/?next=/stats`)).text()
  t.match(
    page,
    `/accounts/register/social/oidc?next=%2Fstats&amp;multiuse_object_key=${key}`,
    'offered on the page of the link',
  )
  t.ok(isApp((await open(register, `${pad()}&multiuse_object_key=${key}`)).url))
  t.match(await account(plain), { role: 300, channels: [general, other].sort((a, b) => a - b) })
  const external = newcomer({ groups: ['externals'] })
  t.ok(isApp((await open(register, `${pad()}&multiuse_object_key=${key}`)).url))
  t.match(await account(external), { role: 600, channels: [other] }, 'guests get no default channels')
  const admin = newcomer({ groups: ['admins', 'eng'] })
  t.ok(isApp((await open(register, `${pad()}&multiuse_object_key=${key}`)).url))
  t.match(await account(admin), { role: 200 })
  const { members } = (await owner
    .ok('GET', '/user_groups')
    .then(({ user_groups }) =>
      (user_groups as { name: string; members: number[] }[]).find(({ name }) => name === 'engineers'),
    )) as { members: number[] }
  t.equal(members.length, 1)
})

t.test('in an open organization a person with a verified address joins', async t => {
  await setOrganization(server.sql, { invite_required: false })
  const email = newcomer({ name: 'ADA Lovelace' })
  t.equal(await heading(login), '200 No account')
  const page = await (await open(login)).answer.text()
  t.match(
    page,
    /href="\/accounts\/register\/social\/oidc\/company\?mobile_flow_otp=[0-9a-f]{64}"/,
    'the pad is carried',
  )
  const [first, second] = await Promise.all([open(register), open(register)])
  t.ok(isApp(first.url) && isApp(second.url), 'twice at once')
  const made = await account(email)
  t.match(made, { role: 400, channels: [general] })
  t.match(made?.name, /^ADA Lovelace \(new/, 'not the name of an owner')
  const nameless = newcomer({ name: '`*' })
  await open(register)
  t.match((await account(nameless))?.name, /^new/)
  newcomer({ email_verified: false })
  t.equal(await heading(register), '200 Address not confirmed')
})

t.test('a setting of the provider saves the question', async t => {
  const settings = JSON.stringify([company.settings({ auto_signup: true })])
  const auto = await startServer(t, { OIDC_PROVIDERS: settings, PUBLIC_URL: publicUrl })
  await auto.person({ role: 100 })
  await setOrganization(auto.sql, { invite_required: false })
  newcomer()
  const { url } = await new Browser({ [publicUrl]: auto.url }).follow(`${login}?${pad()}`, isApp)
  t.ok(isApp(url))
})
