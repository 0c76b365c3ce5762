import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { projectRoot } from '../../server/config/paths.js'
import { readConfig, shownSettings } from '../../server/config.js'

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8')

/** `NAME=value` in the syntax of the image, the unit and the environment file. */
const assignments = (text: string, pattern: RegExp): Record<string, string> =>
  Object.fromEntries([...text.matchAll(pattern)].map(([, name, value]) => [String(name), String(value)]))

const image = assignments(/^ENV (.*?[^\\])$/ms.exec(read('Dockerfile'))?.[1] ?? '', /(\w+)=(\S+)/g)
const unit = assignments(read('docs/deployment/parley.service'), /^Environment=(\w+)=(.*)$/gm)
const example = assignments(read('docs/deployment/env.example'), /^(?:# )?([A-Z_]+)=(.*)$/gm)

// Settings of Node and of compose.yaml.
const foreign = ['NODE_ENV', 'POSTGRES_PASSWORD', 'REDIS_PASSWORD']

// The first column of each table.
const documented = read('docs/settings.md')
  .split('\n')
  .flatMap(line =>
    [...(/^\| (`[^|]*)\|/.exec(line)?.[1] ?? '').matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => String(name)),
  )

t.test('docs/settings.md lists each setting once, and no other', async t => {
  const files = ['config', 'config/protection-settings', 'config/sign-in-settings', 'config/incoming-mail-settings']
  const source = files.map(file => read(`server/${file}.ts`)).join('')
  const settings = [...source.matchAll(/^ {2}([A-Z][A-Z0-9_]+): (?:z$|[a-z])/gm)].map(([, name]) => String(name))
  t.same(documented.toSorted(), settings.toSorted())
})

t.test('settings that hold secrets are not shown', async t => {
  const { settings, secrets } = shownSettings({
    HOME: '/root',
    ...Object.fromEntries(documented.map(name => [name, 'x'])),
  })
  t.same([...Object.keys(settings), ...secrets].toSorted(), documented.toSorted(), 'each setting is one or the other')
  const odd = Object.keys(settings).filter(name => /KEY|SECRET|TOKEN|PASSWORD|URL|ENDPOINT/.test(name))
  // A prefix, an address of the server, an address without credentials, and the path of a file.
  t.same(odd.toSorted(), ['KEY_PREFIX', 'PUBLIC_URL', 'S3_ENDPOINT', 'TLS_KEY'])
})

t.test('every setting that a deployment makes is documented', async t => {
  for (const [where, settings] of Object.entries({ image, unit, example })) {
    const names = Object.keys(settings).filter(name => !foreign.includes(name))
    t.ok(names.length > 1, `${where}: ${names.join(', ')}`)
    t.same(
      names.filter(name => !documented.includes(name)),
      [],
      where,
    )
  }
})

t.test('the server takes them', async t => {
  t.match(readConfig({ ...example, ...image }), { host: '0.0.0.0', port: 9991, dataDir: '/data', demo: false })
  t.match(readConfig({ ...example, ...unit }), { dataDir: '/var/lib/parley', demo: false })
})

t.test('compose.yaml asks for each secret, and holds none', async t => {
  const compose = read('compose.yaml')
  for (const secret of ['POSTGRES_PASSWORD', 'REDIS_PASSWORD']) {
    t.equal(example[secret], '', `the example leaves ${secret} open`)
    const uses = [...compose.matchAll(new RegExp(`\\$\\{?${secret}\\S*`, 'g'))].map(([use]) => use)
    t.ok(uses.length >= 2)
    for (const use of uses) t.ok(use.startsWith(`\${${secret}:?`), 'without it nothing starts')
  }
  t.notMatch(compose, /password: [^$]/i)
})
