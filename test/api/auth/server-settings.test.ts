import t from 'tap'
import { version } from '../../../server/config/version.js'
import { setColumns, setOrganization } from '../../support/organization.js'
import { startServer } from '../../support/server.js'

t.test('server settings need no credentials, and wrong ones do not matter', async t => {
  const server = await startServer(t, { WIRE_BRAND: 'acme', PUBLIC_URL: 'https://chat.test.example' })
  await setColumns(server.sql, { name: 'Tests', description: 'We *test*.' })
  for (const who of [null, { email: 'x', api_key: 'y' }]) {
    const settings = await server.api(who).ok('GET', '/server_settings')
    t.match(settings, {
      acme_version: '12.0',
      acme_feature_level: 500,
      acme_merge_base: '12.0',
      server_release: version,
      realm_name: 'Tests',
      realm_description: '<p>We <em>test</em>.</p>',
      realm_url: 'https://chat.test.example',
      realm_uri: 'https://chat.test.example',
      realm_web_public_access_enabled: false,
      email_auth_enabled: true,
      is_incompatible: false,
      external_authentication_methods: [],
    })
    t.equal(settings.authentication_methods.password, true)
  }
  await setOrganization(server.sql, { enable_spectator_access: true })
  const { realm_web_public_access_enabled } = await server.api(null).ok('GET', '/server_settings')
  t.equal(realm_web_public_access_enabled, true)
})
