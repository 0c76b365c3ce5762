import t from 'tap'
import { startServer } from '../../support/server.js'

const server = await startServer(t)

t.test('administrators see who agreed to the export of private data', async t => {
  const admin = await server.person({ role: 200 })
  const person = await server.person({ email_address_visibility: 3 })
  const gone = await server.person({ is_active: false })
  const bot = await server.person({ bot_type: 1, bot_owner_id: person.id })
  const consents = async () => (await admin.ok('GET', '/export/realm/consents')).export_consents
  t.same(await consents(), [
    { user_id: admin.id, consented: false, email_address_visibility: 1 },
    { user_id: person.id, consented: false, email_address_visibility: 3 },
  ])
  await person.ok('PATCH', '/settings', { allow_private_data_export: true })
  t.match(await consents(), [{ consented: false }, { user_id: person.id, consented: true }])
  for (const who of [person, bot, await server.person({ role: 300 })]) {
    t.match(await who.get('/export/realm/consents'), { status: 400, body: { code: 'UNAUTHORIZED_PRINCIPAL' } })
  }
  t.equal((await gone.get('/export/realm/consents')).status, 401)
})
