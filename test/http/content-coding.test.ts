import t from 'tap'
import { codingFor, refusesIdentity } from '../../server/http/content-coding.js'

t.test('the coding that a client likes most, of equal ones the first offered', async t => {
  for (const [accepted, chosen] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['gzip;q=0.001', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['br;q=0,*;q=0.1', 'gzip'],
    ['identity;q=0.5, gzip ; q=0.8', 'gzip'],
    ['identity, gzip', 'gzip'],
    ['identity;q=0, br', 'br'],
  ] as const)
    t.equal(codingFor(accepted, ['br', 'gzip']), chosen, accepted)
  t.equal(codingFor('gzip, br', ['gzip', 'br']), 'gzip')
})

t.test('no coding, where the client accepts none, or prefers none', async t => {
  for (const accepted of [
    '',
    'identity',
    'deflate, zstd',
    'gzip;q=0',
    'gzip;q=0.000, br;q=0.0',
    '*;q=0',
    'identity;q=1, gzip;q=0.9',
    'gzip;q=2',
    'gzip;q=-1',
    'gzip;q=0.1234',
    'gzip;q=',
    'gzip;q=1;q=1',
    'gzip;level=9',
    'gzipped',
    ';q=1',
    ',,,',
    `${'x,'.repeat(40)}gzip`,
  ])
    t.equal(codingFor(accepted, ['br', 'gzip']), undefined, accepted)
  t.equal(codingFor('br, gzip', []), undefined, 'none is offered')
})

t.test('identity can be refused by its name, and with all that has no name', async t => {
  for (const accepted of ['identity;q=0', 'gzip, identity;q=0.0', 'gzip, *;q=0'])
    t.ok(refusesIdentity(accepted), accepted)
  for (const accepted of ['', 'gzip', '*', 'gzip;q=0', 'identity;q=0.1, *;q=0', 'identity', 'gzip;q=1, br'])
    t.notOk(refusesIdentity(accepted), accepted)
})
