import t from 'tap'
import { startServer } from '../../support/server.js'
import { runAdmin } from './run-admin.js'

const server = await startServer(t)
const admin = await server.person({ role: 200 })

t.test('a right is granted, used at once, and withdrawn', async t => {
  const draft = { email: 'made@test.example', full_name: 'Made Here', password: 'correct horse battery' }
  t.equal((await admin.post('/users', draft)).status, 400)
  const granted = await runAdmin(server.organization, [
    'user',
    'grant',
    'can_create_users',
    '--email',
    admin.email,
    '--json',
  ])
  t.same(JSON.parse(granted.stdout), {
    user_id: admin.id,
    email: admin.email,
    can_create_users: true,
    can_change_user_emails: false,
  })
  t.equal((await admin.post('/users', draft)).status, 200)
  const args = ['user', 'withdraw', 'can_create_users', '--email', admin.email.toUpperCase()]
  t.equal((await runAdmin(server.organization, args)).stdout, `${admin.email} has no longer can_create_users\n`)
  t.equal((await admin.post('/users', { ...draft, email: 'other@test.example' })).status, 400)
})

t.test('a permission that cannot be granted gets one sentence', async t => {
  const refused: [code: number, ...args: string[]][] = [
    [2, 'user', 'grant', 'can_fly', '--email', admin.email],
    [2, 'user', 'grant', 'can_create_users'],
    [1, 'user', 'grant', 'can_create_users', '--email', 'nobody@test.example'],
  ]
  for (const [wanted, ...args] of refused) {
    const { code, stdout, stderr } = await runAdmin(server.organization, args)
    t.equal(code, wanted)
    t.equal(stdout, '')
    t.match(stderr, /^[^\n]+\n$/)
  }
})
