import t from 'tap'
import { moodOf } from '../../../server/web/status/mood.js'

const figures = (of: Readonly<Record<string, number>>) => ({ value: (name: string) => of[name] })
const well = { parley_postgres_up: 1, parley_redis_up: 1, parley_workers: 2, parley_workers_answered: 2 }

t.test('all is well while both databases are up and all workers answer', async t => {
  t.equal(moodOf(false, figures(well)).mood, 'good')
})

t.test('a database that is down is worse than a worker that is silent', async t => {
  const silent = { ...well, parley_workers_answered: 1 }
  t.equal(moodOf(false, figures(silent)).mood, 'warn')
  t.match(moodOf(false, figures({ ...silent, parley_redis_up: 0 })), { mood: 'bad', text: /Redis/ })
  t.match(moodOf(false, figures({ ...silent, parley_redis_up: 0, parley_postgres_up: 0 })), { text: /PostgreSQL/ })
})

t.test('a server that does not answer is away, whatever the last figures were', async t => {
  t.equal(moodOf(true, figures(well)).mood, 'bad')
})

t.test('before the first figures there is nothing to say, and figures that are missing say nothing', async t => {
  t.equal(moodOf(false, undefined).mood, '')
  t.equal(moodOf(false, figures({})).mood, 'good')
})
