import t from 'tap'
import { brokenLayers } from './layers.js'
import { sourcesIn } from './sources.js'

t.test('every import stays on its layer and goes through the door of its package', async t => {
  const sources = sourcesIn(['shared', 'server', 'bench', 'test'], ['.ts', '.tsx', '.mjs'])
  t.ok(sources.length > 50, 'the source tree was found')
  t.same(brokenLayers(sources), [])
})

t.test('the law finds', async t => {
  const broken = (path: string, text: string) => brokenLayers([{ path, text }])

  t.test('an import from a layer above, with its line', async t => {
    const text = "import { a } from './a.js'\n\nimport type {\n  B,\n} from '../api/route.js'\n"
    t.match(broken('server/presenters/x.ts', text), [
      /^server\/presenters\/x\.ts:5 .*server\/api\/route\.ts: layer 4 .* layer 7/,
    ])
  })
  t.test('types, re-exports, imports for effect and dynamic imports', async t => {
    for (const form of [
      "import type { A } from '../http/a.js'",
      "export * from '../http/a.js'",
      "export { a } from '../http/a.js'",
      "import '../http/a.js'",
      "const a = await import('../http/a.js')",
      'import a from "../http/a.js"',
    ]) {
      t.match(broken('server/api/x.ts', form), [/layer 7 .* layer 8/], form)
    }
  })
  t.test('folders that must not know of each other', async t => {
    t.match(broken('server/store/x.ts', "import { k } from '../redis/keys.js'"), [/does not know of Redis/])
    t.match(broken('server/redis/x.ts', "import { k } from '../store/db.js'"), [/does not know of the store/])
    t.match(broken('server/realtime/x.ts', "import { k } from '../store/db.js'"), [/no SQL/])
    t.match(broken('server/memory/x.ts', "import { k } from '../redis/keys.js'"), [/what PostgreSQL holds/])
    t.match(broken('server/store/x.ts', "import { k } from '../memory/directory.js'"), [/layer 2 .* layer 3/])
    t.match(broken('server/presenters/x.ts', "import { LRUCache } from 'lru-cache'"), [/its door is server\/memory/])
  })
  t.test('a mail, a push or a webhook that no job sends', async t => {
    for (const room of ['mail', 'push', 'webhooks']) {
      const text = `import { f } from '../${room}/x.js'`
      t.match(broken('server/admin/x.ts', text), [/only jobs reach/])
      t.match(broken('server/actions/x.ts', text), [/only jobs reach/])
      t.same(broken('server/jobs/x.ts', text), [])
      t.same(broken(`server/${room}/y.ts`, "import { f } from './x.js'"), [])
    }
  })
  t.test('an integration, a provider or an import that uses one of another service', async t => {
    for (const room of ['integrations', 'auth/providers', 'transfer']) {
      t.match(broken(`server/${room}/one/x.ts`, "import { f } from '../other/x.js'"), [/knows of no other/])
      t.same(broken(`server/${room}/one/x.ts`, "import { f } from './y.js'\nimport { g } from '../list.js'"), [])
      t.same(broken(`server/${room}/index.ts`, "import { f } from './one/x.js'\nimport { g } from './other/x.js'"), [])
    }
    t.match(broken('server/integrations/one/x.ts', "import { f } from '../../store/x.js'"), [/layer 1 .* layer 2/])
  })
  t.test('policies that load more than policies and shared', async t => {
    t.match(broken('server/policies/x.ts', "import { k } from '../store/users.js'"), [/policies load only shared/])
    t.match(broken('server/policies/x.ts', "import type { Ctx } from '../ctx.js'"), [/policies load only shared/])
    t.match(broken('server/policies/x.ts', "import { f } from '../lookups/find-user.js'"), [
      /policies load only shared/,
    ])
    t.match(broken('server/policies/x.ts', "import { type Actor, f } from '../auth/actor.js'"), [/policies load only/])
  })
  t.test('authentication that decides permission, or makes wire objects', async t => {
    t.match(broken('server/auth/x.ts', "import { f } from '../policies/allow.js'"), [/decides no permission/])
    t.match(broken('server/auth/x.ts', "import { f } from '../presenters/user-object.js'"), [/no wire objects/])
    t.match(broken('server/presenters/x.ts', "import { f } from '../auth/tokens.js'"), [/how the caller signed in/])
  })
  t.test('folders of the engine that use a later folder, or a folder beside its index', async t => {
    t.match(broken('server/realtime/feed/x.ts', "import { a } from '../queues/index.js'"), [
      /feed .* may not use queues/,
    ])
    t.match(broken('server/realtime/delivery/x.ts', "import type { A } from '../feed/tail.js'"), [/through its index/])
    t.match(broken('server/actions/x.ts', "import { a } from '../realtime/encoding/entry.js'"), [/through its index/])
    t.same(broken('server/realtime/delivery/x.ts', "import { a } from '../feed/index.js'"), [])
    t.same(broken('server/realtime/delivery/x.ts', "import { a } from './y.js'"), [])
  })
  t.test('an import of openapi/ from http/', async t => {
    t.match(broken('server/http/x.ts', "import { d } from '../openapi/document.js'"), [/layer 8 .* layer 9/])
  })
  t.test('packages that come in beside their door, or have none', async t => {
    t.match(broken('server/api/x.ts', "import postgres from 'postgres'"), [/its door is server\/store\//])
    t.match(broken('server/http/x.ts', "import { pack } from 'msgpackr/pack'"), [/its door is shared\/wire\/codec\.ts/])
    t.match(broken('server/api/x.ts', "import x from '@some/thing/deep'"), [/no door/])
    t.match(broken('shared/client/x.ts', "import WebSocket from 'ws'"), [/its door is bench/])
  })
  t.test('Node in what browsers run', async t => {
    t.match(broken('shared/client/x.ts', "import { join } from 'node:path'"), [/browsers/])
  })
  t.test('a measurement that reaches into the server, and a server that reaches into tests', async t => {
    t.match(broken('bench/lib/x.ts', "import { a } from '../../server/config.js'"), [/test\/support alone/])
    t.match(broken('server/app.ts', "import { a } from '../test/support/server.js'"), [/nothing depends/])
  })
  t.test('a page that reaches into the server, and a server that reaches into a page', async t => {
    t.match(broken('server/web/chat/x.tsx', "import { a } from '../../config.js'"), [/pages and shared alone/])
    t.match(broken('server/web/chat/x.ts', "import { join } from 'node:path'"), [/pages run in browsers/])
    t.match(broken('server/app.ts', "import { a } from './web/state/feeds.js'"), [/pages run in browsers/])
    t.match(broken('server/http/x.ts', "import { render } from 'solid-js/web'"), [/its door is server\/web/])
    t.match(broken('server/http/x.ts', "import './x.css'"), [/end in \.js/])
  })
  t.test('a relative import without its ending', async t => {
    t.match(broken('server/app.ts', "import { a } from './config'"), [/end in \.js/])
  })
})

t.test('the law lets pass', async t => {
  const broken = (path: string, text: string) => brokenLayers([{ path, text }])
  t.same(broken('server/api/x.ts', "import { a } from '../store/db.js'\nimport { b } from './params.js'"), [])
  t.same(broken('server/auth/tokens.ts', "import { jwtVerify } from 'jose'"), [])
  t.same(
    broken('server/policies/x.ts', "import type { UserRow } from '../store/users.js'\nimport { f } from './users.js'"),
    [],
  )
  t.same(broken('server/policies/x.ts', "import type { Actor } from '../auth/actor.js'"), [])
  t.same(broken('test/x.ts', "import postgres from 'postgres'\nimport '../server/app.js'"), [])
  t.same(broken('bench/run.mjs', "import { prepare } from '../server/bin/prepare.mjs'"), [])
  t.same(
    broken('server/api/x.ts', "// import '../http/a.js'\nconst a = \"import '../http/a.js'\""),
    [],
    'what only looks like an import',
  )
  t.same(broken('server/web/chat/x.tsx', "import './x.css'\nimport { a } from '../../../shared/limits.js'"), [])
})
