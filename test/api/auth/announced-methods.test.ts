import t from 'tap'
import { ConfigError, readConfig } from '../../../server/config.js'
import { addApp } from '../../support/authenticator.js'
import { givePassword, password } from '../../support/browser.js'
import { Listener } from '../../support/in-step.js'
import { startServer } from '../../support/server.js'

const provider = (id: string, more = {}) => ({
  id,
  name: `At ${id}`,
  issuer: 'https://login.example.com/',
  client_id: 'chat',
  client_secret: 'a secret',
  ...more,
})
const ldap = {
  url: 'ldaps://directory.example.com',
  bind_dn: 'cn=chat,dc=example,dc=com',
  bind_password: 'a secret',
  base_dn: 'dc=example,dc=com',
}
const both = {
  OIDC_PROVIDERS: JSON.stringify([provider('one'), provider('two')]),
  LDAP_DIRECTORY: JSON.stringify(ldap),
}

function messageOf(work: () => unknown): string {
  try {
    work()
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown.message
  }
  return 'accepted'
}

t.test('without settings there are passwords only', async t => {
  const server = await startServer(t)
  const owner = await server.person({ role: 100 })
  t.match(await server.api(null).ok('GET', '/server_settings'), {
    external_authentication_methods: [],
    authentication_methods: { password: true, email: true, ldap: false, 'openid connect': false },
    require_email_format_usernames: true,
  })
  const { realm_authentication_methods } = await owner.ok('POST', '/register', { fetch_event_types: ['realm'] })
  t.same(realm_authentication_methods, { Email: { enabled: true, available: true } })
  const refused = await owner.patch('/realm', { authentication_methods: { 'OpenID Connect': true } })
  t.match(refused, { status: 400, body: { code: 'BAD_REQUEST' } }, 'what is not configured cannot be switched on')
})

t.test('the page of this server is announced while a password may not be enough', async t => {
  const server = await startServer(t, { OIDC_PROVIDERS: JSON.stringify([provider('one')]) })
  const owner = await server.person({ role: 100 })
  await givePassword(server.sql, owner)
  const names = async () => {
    const { external_authentication_methods: methods } = await server.api(null).ok('GET', '/server_settings')
    return methods.map(({ name }: { name: string }) => name)
  }
  t.same(await names(), ['oidc:one'])
  await owner.ok('PATCH', '/realm/second_factors', { required_for: 'administrators' })
  t.same(await names(), ['oidc:one', 'browser'], 'an organization requires a second factor')
  await owner.ok('PATCH', '/realm/second_factors', { required_for: 'none' })
  t.same(await names(), ['oidc:one'])
  await addApp(server, owner, password)
  await owner.ok('PATCH', '/realm', { authentication_methods: { 'OpenID Connect': false } })
  t.match(await server.api(null).ok('GET', '/server_settings'), {
    external_authentication_methods: [
      { name: 'browser', display_name: 'Browser', display_icon: null, login_url: '/login/', signup_url: '/register/' },
    ],
  })
  const page = await (await fetch(`${server.url}/login/`)).text()
  t.notMatch(page, />[^<]*Browser</, 'the page offers no button that leads to itself')
})

t.test('what is configured is announced, in the order of the settings, and an owner can switch it off', async t => {
  const server = await startServer(t, both)
  const owner = await server.person({ role: 100 })
  const settings = () => server.api(null).ok('GET', '/server_settings')
  t.match(await settings(), {
    authentication_methods: { password: true, email: true, ldap: true, 'openid connect': true },
    external_authentication_methods: ['one', 'two'].map(id => ({
      name: `oidc:${id}`,
      display_name: `At ${id}`,
      display_icon: null,
      login_url: `/accounts/login/social/oidc/${id}`,
      signup_url: `/accounts/register/social/oidc/${id}`,
    })),
  })
  const ear = await Listener.start(server.ctx, owner)
  const on = { enabled: true, available: true }
  t.same(ear.state.realm_authentication_methods, { Email: on, 'OpenID Connect': on, LDAP: on })
  const set = (methods: Record<string, boolean>) => owner.patch('/realm', { authentication_methods: methods })

  t.equal((await set({ 'OpenID Connect': true, LDAP: true })).status, 200)
  t.same(await ear.inStep(t), [], 'they are on already')
  t.equal((await set({ 'OpenID Connect': false, Email: false })).status, 200)
  t.equal((await ear.inStep(t)).length, 1)
  t.match(
    ear.state,
    { realm_email_auth_enabled: false, realm_password_auth_enabled: true },
    'names and passwords of LDAP',
  )
  t.match(await settings(), {
    email_auth_enabled: false,
    authentication_methods: { password: true, email: false, ldap: true, 'openid connect': false },
    external_authentication_methods: [],
  })
  t.equal((await set({ LDAP: false })).status, 400, 'one stays on')
  t.equal((await set({ SAML: true })).status, 400)
  t.same(await ear.inStep(t), [])
})

t.test('with one provider its paths name none; names of a directory may be no addresses', async t => {
  const server = await startServer(t, {
    OIDC_PROVIDERS: JSON.stringify([provider('one', { icon: 'https://login.example.com/icon.png' })]),
    LDAP_DIRECTORY: JSON.stringify({ ...ldap, user_attribute: 'uid' }),
  })
  t.match(await server.api(null).ok('GET', '/server_settings'), {
    require_email_format_usernames: false,
    external_authentication_methods: [
      {
        display_icon: 'https://login.example.com/icon.png',
        login_url: '/accounts/login/social/oidc',
        signup_url: '/accounts/register/social/oidc',
      },
    ],
  })
})

t.test('a wrong setting is named in one sentence, which repeats no secret', async t => {
  const wrong: Record<string, string[]> = {
    OIDC_PROVIDERS: [
      '[',
      '[]',
      '{}',
      '/nowhere/providers.json',
      JSON.stringify([provider('one'), provider('one')]),
      JSON.stringify([provider('One')]),
      JSON.stringify([provider('one', { issuer: 'http://login.example.com/' })]),
      JSON.stringify([provider('one', { scopes: ['email'] })]),
      JSON.stringify([provider('one', { roles: { admins: 'king' } })]),
      JSON.stringify([provider('one', { unknown: 1 })]),
      JSON.stringify([provider('one', { client_secret_file: '/nowhere' })]),
      JSON.stringify([{ ...provider('one'), client_secret: undefined }]),
      JSON.stringify([{ ...provider('one'), client_secret: undefined, client_secret_file: '/nowhere' }]),
      JSON.stringify([{ ...provider('one'), client_secret: undefined, client_secret_file: '/dev/null' }]),
    ],
    LDAP_DIRECTORY: [
      '{}',
      JSON.stringify({ ...ldap, url: 'ldap://directory.example.com' }),
      JSON.stringify({ ...ldap, url: 'https://directory.example.com' }),
      JSON.stringify({ ...ldap, user_attribute: 'uid)(cn=*' }),
      JSON.stringify({ ...ldap, bind_password: undefined }),
    ],
  }
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      const message = messageOf(() => readConfig({ [name]: value }))
      t.match(message, new RegExp(`^The setting ${name} [^\\n]*\\.$`), value)
      t.notMatch(message, /a secret/)
    }
  }
  t.equal(
    readConfig({ LDAP_DIRECTORY: JSON.stringify({ ...ldap, url: 'ldap://127.0.0.1:389' }) }).ldap?.bind_password,
    'a secret',
  )
  t.equal(
    readConfig({ LDAP_DIRECTORY: JSON.stringify({ ...ldap, url: 'ldap://d.example', start_tls: true }) }).ldap
      ?.start_tls,
    true,
  )
})
