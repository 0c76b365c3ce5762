import t from 'tap'
import type { Directory } from '../../server/memory/directory.js'
import { addressRefusal, requiresInvitation } from '../../server/policies/joining.js'

const directory = (settings: object, domains: readonly object[] = []) =>
  ({ organization: { settings }, lists: { domains } }) as unknown as Directory
const domains = [
  { domain: 'team.example', allow_subdomains: false },
  { domain: 'wide.example', allow_subdomains: true },
]

t.test('which addresses accounts can have', async t => {
  const restricted = directory({ emails_restricted_to_domains: true }, domains)
  const open = directory({ emails_restricted_to_domains: false }, domains)
  for (const [email, refusal] of [
    ['a@team.example', undefined],
    ['a@TEAM.Example', undefined],
    ['a@x.y.Wide.example', undefined],
    ['a@x.team.example', 'domain'],
    ['a@notwide.example', 'domain'],
    ['a@team.example.org', 'domain'],
    ['a+b@team.example', 'plus sign'],
    ['a+b@elsewhere.example', 'domain'],
    ['welcome-bot@system.invalid', 'reserved'],
    ['any@SYSTEM.invalid', 'reserved'],
  ] as const) {
    t.equal(addressRefusal(restricted, email), refusal, email)
    t.equal(addressRefusal(open, email), refusal === 'reserved' ? refusal : undefined, `${email} without the rule`)
  }
})

t.test(
  'addresses of disposable services, and of hosts below them, are refused where the organization wants it',
  async t => {
    const settings = { disallow_disposable_email_addresses: true }
    const [refusing, open] = [directory(settings), directory({})]
    const restricted = directory({ ...settings, emails_restricted_to_domains: true }, [
      { domain: 'mailinator.com', allow_subdomains: false },
    ])
    for (const email of ['a@mailinator.com', 'a+b@MAILINATOR.com', 'a@any.host.mailinator.com']) {
      t.equal(addressRefusal(refusing, email), 'disposable', email)
      t.equal(addressRefusal(open, email), undefined)
    }
    for (const email of ['a@team.example', 'a@mailinator.com.example', 'a@com', 'mailinator.com@team.example']) {
      t.equal(addressRefusal(refusing, email), undefined, email)
    }
    t.equal(addressRefusal(restricted, 'a@mailinator.com'), undefined, 'an owner has listed the domain')
  },
)

t.test('people need an invitation unless the organization is open', async t => {
  t.equal(requiresInvitation(directory({})), true)
  t.equal(requiresInvitation(directory({ invite_required: false })), false)
})
