// The network drops all packets during statements: the pool gives up each connection that waits for an answer, and
// opens new ones.
import t from 'tap'
import { openDatabase } from '../../server/store/driver/open-database.js'
import { services } from '../support/services.js'
import { TcpProxy } from '../support/tcp-proxy.js'
import { eventually } from './support/wait.js'

const silenceMs = 1500
const connections = 4

for (const how of ['while statements are under way', 'between two statements']) {
  t.test(`connections are forgotten ${how}`, async t => {
    const { databaseUrl } = await services(t)
    const { proxy, url } = await TcpProxy.before(t, databaseUrl)
    const sql = openDatabase(url, 'public', connections, { silenceMs })
    t.teardown(() => sql.end({ timeout: 0 }))
    const ask = () =>
      Promise.allSettled(Array.from({ length: connections }, (_, i) => sql`select pg_sleep(0.05), ${i}::int`))
    await ask()
    const underWay = how.startsWith('while') ? ask() : undefined
    proxy.forget()
    proxy.heal()
    // At once: what was heard last and what is asked now are seen by the same look.
    const outcomes = [...((await underWay) ?? []), ...(await ask())]
    t.same(
      outcomes.map(({ status }) => status),
      outcomes.map(() => 'rejected'),
      'each statement ends with an error',
    )
    // A statement on a connection that is being closed fails at once.
    for (const outcome of outcomes) t.match(outcome, { reason: { code: /^(ETIMEDOUT|ENOTCONN)$/ } })
    await eventually('a pool that goes on', () => sql`select 1`.then(Boolean, () => false))
  })
}
