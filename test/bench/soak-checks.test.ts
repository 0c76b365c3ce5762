import t from 'tap'
import { keyOf, keys, marked } from '../../bench/soak/event-key.js'
import { growthOf } from '../../bench/soak/growth.js'
import { Ledger, type Reach } from '../../bench/soak/ledger.js'
import { Membership } from '../../bench/soak/membership.js'
import { type CheckedQueue, QueueCheck } from '../../bench/soak/queue-check.js'

const user = 7

/** A ledger, and a queue that was registered before every event. */
function checked(queue: Partial<CheckedQueue> = {}) {
  const ledger = new Ledger()
  const [asked, answered] = [performance.now(), performance.now()]
  const facts = { name: 'queue', serial: ledger.newQueue(), user, asked, answered, lastEventId: 10, ...queue }
  const check = new QueueCheck(ledger, facts, ledger.end)
  /** The expected event of a request that was answered. */
  const caused = (name: string, reach: Reach = 'must') => {
    const expected = ledger.begin(keys.message(name), () => reach)
    expected.ended = performance.now()
    return expected
  }
  return { ledger, check, caused }
}

const message = (id: number, name: string) => ({
  id,
  type: 'message',
  message: { content: `<p>${marked(name)} hi</p>` },
})
/** As if the client had been reading all the time, with a timeout of zero. */
const impatient = [0, 0] as const

t.test('a queue that gets everything once is content', async t => {
  const { ledger, check, caused } = checked()
  caused('a')
  caused('b')
  check.received(message(16, 'a'))
  check.received({ id: 17, type: 'heartbeat' })
  check.received(message(32, 'b'))
  check.proceed(...impatient)
  t.equal(check.place, ledger.end)
})

t.test('an event that is lost is found', async t => {
  const { check, caused } = checked()
  caused('a')
  caused('b')
  check.received(message(32, 'b'))
  t.throws(() => check.proceed(...impatient), /has not got message a/)
})

t.test('nothing is lost while the client does not listen, or the request is not answered', async t => {
  const { ledger, check, caused } = checked()
  caused('a')
  check.proceed(undefined, 0)
  check.proceed(performance.now(), 60_000)
  t.equal(check.place, 0)
  check.received(message(16, 'a'))
  ledger.begin(keys.message('b'), () => 'must')
  check.proceed(...impatient)
  t.equal(check.place, 1)
})

t.test('an event that comes twice is found', async t => {
  const { check, caused } = checked()
  caused('a')
  check.received(message(16, 'a'))
  t.throws(() => check.received(message(32, 'a')), /twice/)
})

t.test('what is done twice comes twice', async t => {
  const { check, caused } = checked()
  caused('a')
  caused('a')
  check.received(message(16, 'a'))
  check.received(message(32, 'a'))
  t.throws(() => check.received(message(48, 'a')), /twice/)
})

t.test('what may have come the first time, and must come the second, comes once', async t => {
  const { ledger, check, caused } = checked()
  caused('a', 'may')
  caused('a')
  check.received(message(16, 'a'))
  check.proceed(...impatient)
  t.equal(check.place, ledger.end)
  check.received(message(32, 'a'))
  t.throws(() => check.received(message(48, 'a')), /twice/)
})

t.test('an id that does not rise is found, whatever the event', async t => {
  const { check } = checked()
  check.received({ id: 16, type: 'heartbeat' })
  t.throws(() => check.received({ id: 16, type: 'presence' }), /got event 16 \(presence\) after 16/)
})

t.test('an event for others is found', async t => {
  const { check, caused } = checked()
  caused('a', 'no')
  t.throws(() => check.received(message(16, 'a')), /without being meant/)
  t.throws(() => check.received(message(32, 'b')), /which nothing has caused/)
})

t.test('a queue gets only the types that it asked for', async t => {
  const { ledger, check, caused } = checked({ types: ['reaction'] })
  caused('a')
  check.proceed(...impatient)
  t.equal(check.place, ledger.end)
  t.throws(() => check.received(message(16, 'a')), /without being meant/)
})

t.test('a queue gets no event from before its registration; an event during the registration may come', async t => {
  const ledger = new Ledger()
  const before = ledger.begin(keys.message('before'), () => 'must')
  before.ended = before.begun
  const meanwhile = ledger.begin(keys.message('meanwhile'), () => 'must')
  const facts = {
    name: 'queue',
    serial: 1,
    user,
    lastEventId: 0,
    asked: before.begun + 1,
    answered: before.begun + 1e6,
  }
  const check = new QueueCheck(ledger, facts, 0)
  meanwhile.ended = meanwhile.begun + 10
  check.received(message(16, 'meanwhile'))
  t.throws(() => check.received(message(32, 'before')), /without being meant/)
  check.proceed(...impatient)
  t.equal(check.place, ledger.end)
})

t.test('the ledger forgets what every queue has passed, not sooner', async t => {
  const { ledger, check, caused } = checked()
  caused('a')
  caused('b')
  check.received(message(16, 'a'))
  check.received(message(32, 'b'))
  ledger.trim(0, 0)
  t.equal(ledger.size, 2)
  check.proceed(...impatient)
  ledger.trim(check.place, 60_000)
  t.equal(ledger.size, 2)
  ledger.trim(check.place, -1)
  t.equal(ledger.size, 0)
  t.same(ledger.withKey(keys.message('a')), [])
})

t.test('who comes or goes during a request may get its event, or not', async t => {
  const members = new Membership(new Set([1]))
  const at = (begun: number, ended: number) => ({
    key: '',
    begun,
    ended,
    reach: () => 'may' as const,
    got: new Set<number>(),
  })
  t.equal(members.reach(2, at(0, 1)), 'no')
  t.equal(members.reach(1, at(0, 1)), 'must')
  const begun = performance.now()
  const changed = members.change(2, true)
  t.equal(members.reach(2, at(begun - 10, begun + 10)), 'may')
  changed()
  t.equal(members.reach(2, at(begun - 10, begun - 5)), 'no')
  t.equal(members.reach(2, at(begun + 1e6, begun + 1e6 + 1)), 'must')
})

t.test('each kind of event is recognized by its own key', async t => {
  t.equal(keyOf({ id: 1, type: 'heartbeat' }, user), null)
  t.equal(keyOf({ id: 1, type: 'message', message: { content: 'Ann made a channel' } }, user), null)
  t.equal(keyOf({ id: 1, type: 'update_message', content: marked('e1') }, user), keys.edit('e1'))
  t.equal(keyOf({ id: 1, type: 'delete_message', message_ids: [4, 5] }, user), keys.deletion('4,5'))
  t.equal(keyOf({ id: 1, type: 'update_message_flags', flag: 'read', op: 'add', messages: [1] }, user), null)
})

t.test('growth is that of the second half, where it is more than chance', async t => {
  const points = (value: (minute: number) => number) => Array.from({ length: 61 }, (_, i) => [i, value(i)] as const)
  const steady = growthOf(points(minute => Math.min(minute, 20) + (minute % 2)))
  t.notOk(steady.isCertain)
  const growing = growthOf(points(minute => 100 + minute + (minute % 2)))
  t.ok(growing.isCertain)
  t.match(growing.perHour.toFixed(0), '60')
  t.ok(growing.share > 0.15 && growing.share < 0.25)
  t.match(growing.amount.toFixed(0), '30')
})
