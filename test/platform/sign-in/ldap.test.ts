import t from 'tap'
import { hashPassword } from '../../../server/auth/passwords.js'
import { deactivate, setOrganization } from '../../support/organization.js'
import { Slapd, slapdProgram } from '../../support/providers/slapd.js'
import { startServer } from '../../support/server.js'

if (slapdProgram === undefined) t.pass('skipped: slapd is not installed')
else await tests()

async function tests() {
  const slapd = await Slapd.start(t)
  const mapping = { groups: { builders: 'engineers' }, roles: { bosses: 'administrator' } }
  const settings = (more = {}) => ({ LDAP_DIRECTORY: JSON.stringify(slapd.settings({ ...mapping, ...more })) })
  const server = await startServer(t, settings({ user_attribute: 'uid' }))
  const owner = await server.person({ role: 100 })
  const { group_id } = await owner.ok('POST', '/user_groups/create', {
    name: 'engineers',
    description: '',
    members: [],
  })
  const signIn = (username: string, password: string, at = server) =>
    at.api(null).post('/fetch_api_key', { username, password })
  const failed = { status: 401, body: { code: 'AUTHENTICATION_FAILED' } }
  let people = 0

  async function employee(more: Record<string, string> = {}) {
    const person = await server.person()
    const uid = `uid${++people}`
    const dn = await slapd.addPerson(uid, { mail: person.email, userPassword: `secret of ${uid}`, ...more })
    return { person, uid, dn, password: `secret of ${uid}` }
  }

  t.test('the name and the password of the directory give the key of the account with its address', async t => {
    const { person, uid, password } = await employee()
    t.match(await signIn(uid, password), { status: 200, body: { api_key: person.api_key, user_id: person.id } })
    t.match(await signIn(uid.toUpperCase(), password), { status: 200 })
    t.match(await server.api(null).ok('GET', '/server_settings'), {
      authentication_methods: { ldap: true, password: true },
      require_email_format_usernames: false,
    })
    for (const [name, word] of [
      [uid, 'wrong'],
      [uid, ''],
      ['unknown', password],
      ['', password],
      [person.email, password],
    ] as const) {
      t.match(await signIn(name, word), failed, `${name} ${word}`)
    }
    const other = await employee()
    t.match(await signIn(uid, other.password), failed)
  })

  t.test('the page takes the same names and passwords', async t => {
    const { uid, password } = await employee()
    const page = await (await fetch(`${server.url}/login/`, { headers: { Accept: 'text/html' } })).text()
    t.match(page, /<input class="input" type="text" name="username"/)
    const send = (word: string) =>
      fetch(`${server.url}/login/`, {
        method: 'POST',
        redirect: 'manual',
        headers: { Accept: 'text/html', Origin: server.url, 'Sec-Fetch-Site': 'same-origin' },
        body: new URLSearchParams({ username: uid, password: word }),
      })
    const wrong = await send('wrong')
    t.equal(wrong.headers.get('set-cookie'), null)
    const right = await send(password)
    t.equal(right.status, 302)
    t.match(right.headers.get('set-cookie'), /^sessionid=/)
  })

  t.test('a name cannot change what is searched for', async t => {
    const { uid, password } = await employee()
    for (const name of [
      '*',
      `${uid}*`,
      `${uid})(objectClass=*`,
      `${uid})(|(uid=*`,
      `*)(uid=${uid}`,
      `(uid=${uid})`,
      `\\75id${people}`,
      `${uid}\0`,
      `${uid},dc=example,dc=com`,
    ]) {
      const found = await signIn(name, password)
      t.match(found.status, /^40[01]$/, JSON.stringify(name))
    }
    t.equal((await signIn(uid, password)).status, 200)
  })

  t.test('an entry without an address, or with the one of another person, leads to no account', async t => {
    await slapd.addPerson('bare', { userPassword: 'word' })
    t.match(await signIn('bare', 'word'), failed)
    const { person, uid, password, dn } = await employee()
    t.equal((await signIn(uid, password)).status, 200)
    await slapd.addPerson('thief', { mail: person.email, userPassword: 'word' })
    t.match(await signIn('thief', 'word'), failed, 'the account belongs to another entry')
    await slapd.remove(dn)
    t.match(await signIn(uid, password), failed, 'who has left cannot sign in')
    const gone = await employee()
    await deactivate(server.sql, gone.person.id)
    t.match(await signIn(gone.uid, gone.password), { status: 401, body: { code: 'USER_DEACTIVATED' } })
    t.match(await signIn(gone.uid, 'wrong'), failed)
  })

  t.test('groups and roles follow the groups of the directory', async t => {
    const { person, uid, dn, password } = await employee()
    const now = async () => {
      t.equal((await signIn(uid, password)).status, 200)
      const { members } = await owner.ok('GET', `/user_groups/${group_id}/members`)
      const { user } = await owner.ok('GET', `/users/${person.id}`)
      return { isIn: (members as number[]).includes(person.id), role: user.role }
    }
    t.same(await now(), { isIn: false, role: 400 })
    const groups = [await slapd.addGroup('builders', [dn]), await slapd.addGroup('bosses', [dn])]
    t.same(await now(), { isIn: true, role: 200 })
    for (const group of groups) await slapd.remove(group)
    t.same(await now(), { isIn: false, role: 400 })
  })

  t.test('wrong passwords of the directory are limited as others are', async t => {
    const { uid, password } = await employee()
    for (let i = 0; i < 5; i++) t.match(await signIn(uid, `wrong ${i}`), failed)
    t.match(await signIn(uid, password), { status: 429, body: { code: 'RATE_LIMIT_HIT' } })
  })

  t.test('wrong passwords count against the entry, whichever of its names is typed', async t => {
    const byAddress = await startServer(t, settings())
    const person = await byAddress.person({ email: 'many0@test.example' })
    const mail = Array.from({ length: 7 }, (_, i) => `many${i}@test.example`)
    await slapd.addPerson('many', { mail, userPassword: 'word' })
    const to = (i: number, password: string) => signIn(`many${i}@test.example`, password, byAddress)
    t.match(await to(0, 'word'), { status: 200, body: { user_id: person.id } })
    for (let i = 1; i < 6; i++) t.match(await to(i, 'wrong'), failed)
    t.match(await to(6, 'word'), { status: 429, body: { code: 'RATE_LIMIT_HIT' } })
  })

  t.test('a page gets the own API key for the password of the directory', async t => {
    const { person, uid, password } = await employee()
    const other = await employee()
    const headers = { Accept: 'text/html', Origin: server.url, 'Sec-Fetch-Site': 'same-origin' }
    const body = new URLSearchParams({ username: uid, password })
    const entered = await fetch(`${server.url}/login/`, { method: 'POST', redirect: 'manual', headers, body })
    const Cookie = entered.headers
      .getSetCookie()
      .map(one => one.split(';')[0])
      .join('; ')
    const ask = async (word: string) => {
      const form = new URLSearchParams({ password: word })
      const init = { method: 'POST', headers: { ...headers, Accept: 'application/json', Cookie }, body: form }
      const answer = await fetch(`${server.url}/json/fetch_api_key`, init)
      return { status: answer.status, body: await answer.json() }
    }
    t.match(await ask(password), { status: 200, body: { api_key: person.api_key } })
    t.match(await ask('wrong'), { status: 400 })
    t.match(await ask(other.password), { status: 400 })
    t.match(await ask(''), { status: 400 })
    t.notOk(JSON.stringify(await ask('wrong')).includes(person.api_key))
  })

  t.test('an account with a password here can use it as well, unless that is switched off', async t => {
    const person = await server.person()
    await server.sql`update users set password_hash = ${await hashPassword('open sesame')} where id = ${person.id}`
    t.equal((await signIn(person.email, 'open sesame')).status, 200)
    const offersReset = async () =>
      (await (await fetch(`${server.url}/login/`)).text()).includes('/accounts/password/reset/')
    t.ok(await offersReset())
    await owner.ok('PATCH', '/realm', { authentication_methods: { Email: false } })
    t.notOk(await offersReset(), 'there is no password here to be reset')
    t.match(await signIn(person.email, 'open sesame'), failed)
    const { uid, password } = await employee()
    t.equal((await signIn(uid, password)).status, 200)
    await owner.ok('PATCH', '/realm', { authentication_methods: { Email: true, LDAP: false } })
    t.match(await signIn(uid, password), failed)
    t.equal((await signIn(person.email, 'open sesame')).status, 200)
    await owner.ok('PATCH', '/realm', { authentication_methods: { LDAP: true } })
  })

  t.test('a person without an account joins by setting, if it may', async t => {
    const automatic = await startServer(t, settings({ user_attribute: 'uid', auto_signup: true }))
    await automatic.person({ role: 100 })
    await slapd.addPerson('newcomer', { mail: 'newcomer@test.example', cn: 'New Comer', userPassword: 'word' })
    t.match(await signIn('newcomer', 'word', server), failed)
    t.match(await signIn('newcomer', 'word', automatic), failed, 'an invitation is needed')
    await setOrganization(automatic.sql, { invite_required: false })
    t.match(await signIn('newcomer', 'wrong', automatic), failed)
    t.match(await signIn('newcomer', 'word', automatic), { status: 200, body: { email: 'newcomer@test.example' } })
    const [row] =
      await automatic.sql`select full_name, password_hash from users where delivery_email = 'newcomer@test.example'`
    t.match(row, { full_name: 'New Comer', password_hash: null })
    await slapd.addPerson('neuling', { mail: 'neuling@test.example', cn: 'Neu Ling', userPassword: 'wort' })
    await fetch(`${automatic.url}/login/`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Accept: 'text/html', Origin: automatic.url, 'Accept-Language': 'de-AT' },
      body: new URLSearchParams({ username: 'neuling', password: 'wort' }),
    })
    const [german] = await automatic.sql`select settings from users where delivery_email = 'neuling@test.example'`
    t.match(german, { settings: { default_language: 'de' } }, 'the language of the browser')
  })

  t.test('a directory that is away, or hangs, gives a clear answer and uses up no attempts', async t => {
    const { uid, password } = await employee()
    const away = { status: 503, body: { code: 'SERVER_NOT_READY' } }
    const local = await server.person()
    await server.sql`update users set password_hash = ${await hashPassword('open sesame')} where id = ${local.id}`
    await slapd.stop()
    for (let i = 0; i < 6; i++) t.match(await signIn(uid, 'wrong'), away)
    t.match(await signIn(local.email, 'open sesame'), { status: 200 }, 'a password here still counts')
    for (let i = 0; i < 5; i++) t.match(await signIn(local.email, 'wrong'), away)
    t.match(await signIn(local.email, 'open sesame'), { status: 429 }, 'and wrong ones are limited')
    await slapd.run()
    t.equal((await signIn(uid, password)).status, 200)
    slapd.freeze(true)
    const slow = signIn(uid, password)
    await owner.ok('GET', '/users/me')
    t.match(await slow, away, 'after the time limit')
    slapd.freeze(false)
    t.equal((await signIn(uid, password)).status, 200)
    const wrong = await startServer(t, settings({ user_attribute: 'uid', bind_password: 'wrong' }))
    t.match(await signIn(uid, password, wrong), away, 'the server has a wrong password there')
  })
}
