import t from 'tap'
import { brokenRedisKeys, keyWords } from './redis-keys.js'
import { sourcesIn } from './sources.js'

t.test('the names of keys are in one file, and nothing else knows them', async t => {
  const sources = sourcesIn(['server'], ['.ts', '.lua'])
  const keys = sources.find(({ path }) => path === 'server/redis/keys.ts')
  if (!keys) throw new Error('server/redis/keys.ts is gone')
  t.ok(keyWords(keys).includes('queue'), 'it has names to look for')
  t.same(brokenRedisKeys(sources, keyWords(keys)), [])
})

t.test('the law finds', async t => {
  const broken = (text: string, path = 'server/realtime/x.ts') => brokenRedisKeys([{ path, text }], ['feed', 'queue'])

  t.test('a key name, with its line', async t => {
    t.match(broken(`const a = 1\nconst key = \`queue:\${id}\``), [/^server\/realtime\/x\.ts:2 spells a key name/])
    t.match(broken("redis.get('feed:seen')"), [/spells a key name/])
  })
  t.test('a hash tag and a use of the prefix', async t => {
    t.match(broken(`\`things:{\${id}}\``), [/makes a hash tag/])
    t.match(broken(`\`\${config.keyPrefix}:things\``), [/builds on the key prefix/])
  })
  t.test('a key that a Function was not given', async t => {
    t.match(broken("redis.call('GET', 'clock')", 'server/redis/lua/x.lua'), [/inside a Function/])
    t.same(broken("redis.call('GET', KEYS[1])", 'server/redis/lua/x.lua'), [])
  })
  t.test('none in what only looks like one', async t => {
    t.same(broken(`const text = \`{\${fields}}\`\nconst queue: string = 'a queue: the best'`), [])
    t.same(broken(`\`queue:\${id}\``, 'server/redis/keys.ts'), [])
  })
})
