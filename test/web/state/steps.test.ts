import t from 'tap'
import { stepsBetween } from '../../../server/web/chat/feed/steps.js'

const shown = ['head:10', 'tail:11', 'head:12']

t.test('what comes above what is read is counted from the end, what comes below from the beginning', async t => {
  const older = ['head:8', 'tail:9', ...shown]
  t.same(stepsBetween(shown, older, 11), [{ items: older, shifts: true }])
  const newer = [...shown, 'tail:13']
  t.same(stepsBetween(shown, newer, 11), [{ items: newer, shifts: false }])
})

t.test('what changes on both sides comes in two steps', async t => {
  const now = ['head:9', 'tail:10', 'tail:11', 'head:12', 'tail:13']
  t.same(stepsBetween(shown, now, 11), [
    { items: ['head:9', 'tail:10', 'tail:11', 'head:12'], shifts: true },
    { items: now, shifts: false },
  ])
  t.same(stepsBetween(shown, ['head:11'], 11), [
    { items: ['head:11', 'head:12'], shifts: true },
    { items: ['head:11'], shifts: false },
  ])
})

t.test('a message keeps its place when it gets or loses its sender above it', async t => {
  const now = ['head:9', 'tail:10', 'tail:11', 'head:12']
  t.same(stepsBetween(shown, now, 10), [{ items: now, shifts: true }])
})

t.test('where what was read is gone, or nothing was, all is new', async t => {
  const now = ['head:20', 'tail:21']
  t.same(stepsBetween(shown, now, 11), [{ items: now, shifts: false }])
  t.same(stepsBetween([], shown, undefined), [{ items: shown, shifts: false }])
})
